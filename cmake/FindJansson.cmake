# SPDX-License-Identifier: MIT
# jansson::jansson. Debian's package has only a pkg-config file, which a cross build
# cannot be trusted to find; the header and the library are all there is to it.
include(HostHeaders)
host_headers(JANSSON_INCLUDE_DIR jansson.h jansson_config.h)
find_library(JANSSON_LIBRARY jansson)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Jansson REQUIRED_VARS JANSSON_LIBRARY JANSSON_INCLUDE_DIR)
if(Jansson_FOUND AND NOT TARGET jansson::jansson)
    add_library(jansson::jansson UNKNOWN IMPORTED)
    set_target_properties(jansson::jansson PROPERTIES
        IMPORTED_LOCATION ${JANSSON_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${JANSSON_INCLUDE_DIR})
endif()
