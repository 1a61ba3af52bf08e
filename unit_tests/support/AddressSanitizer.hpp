// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// TEST_ADDRESS_SANITIZER is defined under the address sanitizer, of which each compiler tells in its own way.
#if defined(__SANITIZE_ADDRESS__)
#define TEST_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_ADDRESS_SANITIZER
#endif
#endif
