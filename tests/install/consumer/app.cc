/* SPDX-License-Identifier: MIT
 * app.cc - the same from C++11. */
#include <ballpark/ballpark.h>

#include <cstdio>
#include <string>
#include <vector>

int main()
{
    bp_hll_config config = bp_hll_config();
    config.precision = 12;
    bp_hll *h = nullptr;
    bp_detail why = bp_detail();
    if (bp_hll_new(&h, &config, &why) != BP_OK)
        return 1;
    for (int i = 0; i < 1000; i++) {
        const std::string key = "key " + std::to_string(i);
        bp_hll_add(h, key.data(), key.size());
    }
    size_t size = 0;
    bp_hll_encode(h, nullptr, 0, &size, nullptr);
    std::vector<unsigned char> bytes(size);
    bp_hll *again = nullptr;
    if (bp_hll_encode(h, bytes.data(), size, &size, nullptr) != BP_OK ||
        bp_hll_decode(&again, bytes.data(), size, nullptr, &why) != BP_OK)
        return 1;
    bp_estimate e = bp_estimate();
    bp_any_estimate(reinterpret_cast<const bp_any *>(again), 0.95, &e, nullptr);
    bp_hll_free(again);
    bp_hll_free(h);
    if (!(e.lower <= 1000 && 1000 <= e.upper))
        return 1;
    std::printf("%s ok\n", bp_version());
    return 0;
}
