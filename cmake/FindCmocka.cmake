# SPDX-License-Identifier: MIT
# cmocka::cmocka, as FindJansson does it and for the same reason.
include(HostHeaders)
host_headers(CMOCKA_INCLUDE_DIR cmocka.h)
find_library(CMOCKA_LIBRARY cmocka)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cmocka REQUIRED_VARS CMOCKA_LIBRARY CMOCKA_INCLUDE_DIR)
if(Cmocka_FOUND AND NOT TARGET cmocka::cmocka)
    add_library(cmocka::cmocka UNKNOWN IMPORTED)
    set_target_properties(cmocka::cmocka PROPERTIES
        IMPORTED_LOCATION ${CMOCKA_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${CMOCKA_INCLUDE_DIR})
endif()
