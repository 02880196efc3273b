# SPDX-License-Identifier: MIT
# host_headers(VARIABLE header...): the directory of headers that are the same on every
# machine. A cross compiler must never be shown /usr/include, this machine's libc, so
# for it the directory holds links to these headers and nothing else.
function(host_headers variable)
    list(GET ARGN 0 first)
    find_path(${variable} ${first})
    if(CMAKE_CROSSCOMPILING AND ${variable})
        set(links ${CMAKE_BINARY_DIR}/headers/${first}.d)
        file(MAKE_DIRECTORY ${links})
        foreach(header IN LISTS ARGN)
            file(CREATE_LINK ${${variable}}/${header} ${links}/${header} SYMBOLIC)
        endforeach()
        set(${variable} ${links} PARENT_SCOPE)
    endif()
endfunction()

# host_library(NAME PACKAGE header...): the target NAME::NAME, a library and its headers.
# Some of Debian's packages have only a pkg-config file, which a cross build cannot be
# trusted to find; the headers and the library are all there is to them.
function(host_library name package)
    host_headers(${name}_HEADERS ${ARGN})
    find_library(${name}_LIBRARY ${name})
    if(NOT ${name}_HEADERS OR NOT ${name}_LIBRARY)
        message(FATAL_ERROR "lib${name} or its headers are missing: "
                            "apt-get install ${package}")
    endif()
    add_library(${name}::${name} UNKNOWN IMPORTED)
    set_target_properties(${name}::${name} PROPERTIES
        IMPORTED_LOCATION ${${name}_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${${name}_HEADERS})
endfunction()
