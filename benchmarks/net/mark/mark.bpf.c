// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * An ECN switch port with a step mark, as a classifier (tc-bpf(8)) at a port's egress: packets that say they
 * are ECN-capable get CE while a phantom queue, which drains at BYTES_PER_SECOND, holds more than MARK_BYTES.
 * That rate lies a little below the port's own, so that the real queue stays short (Alizadeh et al., Less is
 * More, NSDI 2012, section 3). Both numbers are given by -D.
 */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>
#include <bpf/bpf_helpers.h>

#define NANOS 1000000000ull
#define LONGEST NANOS /* a pause beyond which the queue is empty in any case */

char LICENSE[] SEC("license") = "Dual BSD/GPL";

struct phantom {
	struct bpf_spin_lock lock;
	__u64 bytes;
	__u64 at;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct phantom);
} queue SEC(".maps");

SEC("tc")
int mark(struct __sk_buff *skb)
{
	__u32 first = 0;
	struct phantom *q = bpf_map_lookup_elem(&queue, &first);
	__u64 now = bpf_ktime_get_ns();
	__u64 length = skb->wire_len;
	__u64 passed, drained;
	int full;

	if (!q)
		return TC_ACT_UNSPEC;
	bpf_spin_lock(&q->lock);
	passed = now > q->at ? now - q->at : 0;
	if (passed > LONGEST)
		passed = LONGEST;
	drained = passed * BYTES_PER_SECOND / NANOS;
	q->bytes = q->bytes > drained ? q->bytes - drained : 0;
	q->bytes += length;
	/* What the real queue would drop must not be worked off for ever. */
	if (q->bytes > 4ull * MARK_BYTES)
		q->bytes = 4ull * MARK_BYTES;
	q->at = now;
	full = q->bytes > MARK_BYTES;
	bpf_spin_unlock(&q->lock);
	if (full)
		bpf_skb_ecn_set_ce(skb);
	return TC_ACT_UNSPEC;
}
