// SPDX-License-Identifier: MIT
//! Filters from crates.io as bench/filters.c wants them: `peer_at(i)` is the i-th one's
//! name and functions. Keys are 64-bit hashes; where a crate takes hashes they are handed
//! over as they are, else the crate hashes them once more, as its users cannot avoid.
use std::ffi::{c_char, c_void};

trait Filter: Sized {
    fn build(keys: &[u64]) -> Self;
    fn has(&self, key: u64) -> bool;
    fn bytes(&self) -> usize;
}

impl Filter for xorf::BinaryFuse8 {
    fn build(keys: &[u64]) -> Self {
        xorf::BinaryFuse8::try_from(keys).expect("a set of different keys")
    }
    fn has(&self, key: u64) -> bool {
        xorf::Filter::contains(self, &key)
    }
    fn bytes(&self) -> usize {
        self.fingerprints.len()
    }
}

impl Filter for fastbloom::BloomFilter {
    fn build(keys: &[u64]) -> Self {
        let mut f = fastbloom::BloomFilter::with_false_pos(0.01).expected_items(keys.len());
        for &k in keys {
            f.insert_hash(k);
        }
        f
    }
    fn has(&self, key: u64) -> bool {
        self.contains_hash(key)
    }
    fn bytes(&self) -> usize {
        self.num_bits() / 8
    }
}

type Counting = bloomcraft::filters::CountingBloomFilter<u64>;

impl Filter for Counting {
    fn build(keys: &[u64]) -> Self {
        let four_bits = bloomcraft::filters::CounterSize::FourBit;
        let mut f = Counting::with_size(keys.len(), 0.01, four_bits);
        for k in keys {
            f.insert(k);
        }
        f
    }
    fn has(&self, key: u64) -> bool {
        self.contains(&key)
    }
    fn bytes(&self) -> usize {
        self.memory_usage()
    }
}

type Cuckoo = cuckoofilter::CuckooFilter<std::collections::hash_map::DefaultHasher>;

impl Filter for Cuckoo {
    fn build(keys: &[u64]) -> Self {
        // The crate rounds up to a power of two and fills to what was asked.
        let mut f = cuckoofilter::CuckooFilter::with_capacity(keys.len());
        for k in keys {
            let _ = f.add(k);
        }
        f
    }
    fn has(&self, key: u64) -> bool {
        self.contains(&key)
    }
    fn bytes(&self) -> usize {
        self.memory_usage()
    }
}

/// As `peer` in bench/filters.c.
#[repr(C)]
pub struct Peer {
    name: *const c_char,
    build: unsafe extern "C" fn(*const u64, usize) -> *mut c_void,
    has: unsafe extern "C" fn(*const c_void, *const u64, usize) -> usize,
    bytes: unsafe extern "C" fn(*const c_void) -> usize,
    free: unsafe extern "C" fn(*mut c_void),
}
unsafe impl Sync for Peer {}

unsafe extern "C" fn build<F: Filter>(keys: *const u64, n: usize) -> *mut c_void {
    Box::into_raw(Box::new(F::build(std::slice::from_raw_parts(keys, n)))).cast()
}

unsafe extern "C" fn has<F: Filter>(f: *const c_void, keys: *const u64, n: usize) -> usize {
    let f = &*f.cast::<F>();
    let keys = std::slice::from_raw_parts(keys, n);
    keys.iter().filter(|&&k| f.has(k)).count()
}

unsafe extern "C" fn bytes<F: Filter>(f: *const c_void) -> usize {
    (*f.cast::<F>()).bytes()
}

unsafe extern "C" fn free<F: Filter>(f: *mut c_void) {
    drop(Box::from_raw(f.cast::<F>()))
}

const fn peer<F: Filter>(name: &'static std::ffi::CStr) -> Peer {
    Peer {
        name: name.as_ptr(),
        build: build::<F>,
        has: has::<F>,
        bytes: bytes::<F>,
        free: free::<F>,
    }
}

static PEERS: [Peer; 4] = [
    peer::<fastbloom::BloomFilter>(c"fastbloom 0.17"),
    peer::<Counting>(c"bloomcraft 0.1 counting"),
    peer::<Cuckoo>(c"cuckoofilter 0.5"),
    peer::<xorf::BinaryFuse8>(c"xorf 0.13 fuse8"),
];

#[no_mangle]
pub extern "C" fn peer_at(i: usize) -> *const Peer {
    PEERS.get(i).map_or(std::ptr::null(), |p| p)
}
