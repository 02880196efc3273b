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
