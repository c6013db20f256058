// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
/*
 * DCTCP after RFC 8257 as a BPF congestion control, for kernels built without tcp_dctcp. Written from the
 * RFC; the sections are named where they are followed.
 *
 * Both ends need it: the sender reacts, the receiver tells each mark. ECN is asked for by the flag
 * TCP_CONG_NEEDS_ECN, without any sysctl. A connection whose peer refused ECN is Reno.
 */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

#define NEEDS_ECN 2 /* TCP_CONG_NEEDS_ECN */
#define ECN_OK 1u
#define DEMAND_CWR 4u

#define ONE 1024u /* fixed point of alpha */
#define G_SHIFT 4 /* estimation gain g = 1/16, section 4.2 */
#define LEAST_WINDOW 2u

extern void tcp_reno_cong_avoid(struct sock *sk, __u32 ack, __u32 acked) __ksym;

/* What a connection remembers, in icsk_ca_priv. */
struct dctcp {
	__u32 alpha;        /* DCTCP.Alpha, of ONE */
	__u32 window_end;   /* DCTCP.WindowEnd */
	__u32 delivered;    /* segments delivered when the window began */
	__u32 delivered_ce; /* of them marked */
	__u32 loss_cwnd;    /* window before the last loss, for undo */
	__u32 rcv_nxt;      /* up to where the last state of CE was seen */
	__u32 ce;           /* DCTCP.CE of the receiver */
};

static struct tcp_sock *tcp(struct sock *sk)
{
	return (struct tcp_sock *)sk;
}

static struct dctcp *mine(struct sock *sk)
{
	return (struct dctcp *)((struct inet_connection_sock *)sk)->icsk_ca_priv;
}

static bool speaks_ecn(struct sock *sk)
{
	return tcp(sk)->ecn_flags & ECN_OK;
}

static void begin_window(struct tcp_sock *tp, struct dctcp *ca)
{
	ca->window_end = tp->snd_nxt;
	ca->delivered = tp->delivered;
	ca->delivered_ce = tp->delivered_ce;
}

static __u32 at_least_two(__u32 window)
{
	return window < LEAST_WINDOW ? LEAST_WINDOW : window;
}

SEC("struct_ops")
void BPF_PROG(dctcp_init, struct sock *sk)
{
	struct tcp_sock *tp = tcp(sk);
	struct dctcp *ca = mine(sk);

	/* Alpha begins at 1: the first mark halves the window, as a loss would (section 4.2). */
	ca->alpha = ONE;
	ca->loss_cwnd = 0;
	ca->ce = 0;
	ca->rcv_nxt = tp->rcv_nxt;
	begin_window(tp, ca);
}

/* Section 3.3: once in a window, alpha moves by g towards the part of it that was marked. */
SEC("struct_ops")
void BPF_PROG(dctcp_in_ack, struct sock *sk, __u32 flags)
{
	struct tcp_sock *tp = tcp(sk);
	struct dctcp *ca = mine(sk);
	__u32 all, marked;

	if ((__s32)(tp->snd_una - ca->window_end) < 0)
		return;
	all = tp->delivered - ca->delivered;
	marked = tp->delivered_ce - ca->delivered_ce;
	if (all > 0) {
		__u32 part = marked >= all ? ONE : marked * ONE / all;
		__u32 fade = ca->alpha >> G_SHIFT;

		/* Where the fixed point would stop it above 0, it goes on by the least step. */
		if (fade == 0 && ca->alpha > 0)
			fade = 1;
		ca->alpha = ca->alpha - fade + (part >> G_SHIFT);
		if (ca->alpha > ONE)
			ca->alpha = ONE;
	}
	begin_window(tp, ca);
}

/* Section 3.3: cwnd = cwnd * (1 - alpha / 2), by the kernel once in a window of marks. */
SEC("struct_ops")
__u32 BPF_PROG(dctcp_ssthresh, struct sock *sk)
{
	struct tcp_sock *tp = tcp(sk);
	struct dctcp *ca = mine(sk);
	__u32 cut = (__u32)(((__u64)tp->snd_cwnd * ca->alpha) / (2 * ONE));

	ca->loss_cwnd = tp->snd_cwnd;
	if (!speaks_ecn(sk))
		cut = tp->snd_cwnd / 2;
	return at_least_two(tp->snd_cwnd - cut);
}

/* Section 3.5: loss is answered as TCP does, whatever alpha is. */
static void halve(struct sock *sk)
{
	struct tcp_sock *tp = tcp(sk);

	mine(sk)->loss_cwnd = tp->snd_cwnd;
	tp->snd_ssthresh = at_least_two(tp->snd_cwnd / 2);
}

SEC("struct_ops")
void BPF_PROG(dctcp_state, struct sock *sk, __u8 next)
{
	/* ssthresh has been asked before; it cannot tell a loss from a mark. */
	if (next == TCP_CA_Recovery && ((struct inet_connection_sock *)sk)->icsk_ca_state != next)
		halve(sk);
}

/*
 * Section 3.2: the receiver acknowledges at once what came before a change of CE, with the old mark,
 * and from then on echoes the new one.
 */
static void ce_is(struct sock *sk, __u32 ce)
{
	struct inet_connection_sock *icsk = (struct inet_connection_sock *)sk;
	struct tcp_sock *tp = tcp(sk);
	struct dctcp *ca = mine(sk);

	if (ca->ce != ce) {
		if (icsk->icsk_ack.pending & ICSK_ACK_TIMER) {
			if (ca->ce)
				tp->ecn_flags |= DEMAND_CWR;
			else
				tp->ecn_flags &= ~DEMAND_CWR;
			bpf_tcp_send_ack(tp, ca->rcv_nxt);
		}
		ca->ce = ce;
	}
	ca->rcv_nxt = tp->rcv_nxt;
	if (ce)
		tp->ecn_flags |= DEMAND_CWR;
	else
		tp->ecn_flags &= ~DEMAND_CWR;
}

SEC("struct_ops")
void BPF_PROG(dctcp_event, struct sock *sk, enum tcp_ca_event event)
{
	if (!speaks_ecn(sk) && event != CA_EVENT_LOSS)
		return;
	if (event == CA_EVENT_ECN_IS_CE)
		ce_is(sk, 1);
	else if (event == CA_EVENT_ECN_NO_CE)
		ce_is(sk, 0);
	else if (event == CA_EVENT_LOSS)
		halve(sk);
}

SEC("struct_ops")
void BPF_PROG(dctcp_cong_avoid, struct sock *sk, __u32 ack, __u32 acked)
{
	tcp_reno_cong_avoid(sk, ack, acked);
}

SEC("struct_ops")
__u32 BPF_PROG(dctcp_undo, struct sock *sk)
{
	__u32 now = tcp(sk)->snd_cwnd;
	__u32 before = mine(sk)->loss_cwnd;

	return before > now ? before : now;
}

SEC(".struct_ops")
struct tcp_congestion_ops dctcp = {
	.init = (void *)dctcp_init,
	.in_ack_event = (void *)dctcp_in_ack,
	.ssthresh = (void *)dctcp_ssthresh,
	.cong_avoid = (void *)dctcp_cong_avoid,
	.undo_cwnd = (void *)dctcp_undo,
	.cwnd_event = (void *)dctcp_event,
	.set_state = (void *)dctcp_state,
	.flags = NEEDS_ECN,
	.name = "dctcp",
};
