# SPDX-License-Identifier: MIT
# The other machines, by Debian's cross compilers and qemu-user. BALLPARK_MACHINE is
# s390x (big-endian), aarch64 or i386 (32 bits).
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BALLPARK_MACHINE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${BALLPARK_MACHINE})
set(triple ${BALLPARK_MACHINE}-linux-gnu)
if(BALLPARK_MACHINE STREQUAL i386)
    set(triple i686-linux-gnu)
endif()
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${BALLPARK_MACHINE}-static)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
