import type { Answer } from './contenders/contender.ts';
import { PEERS } from './contenders/peers.ts';
import { BARE } from './contenders/protocol.ts';
import { median, spread } from './statistics.ts';
import { goal, table } from './table.ts';
import type { BenchDomain, Delays } from './world.ts';

// Who stands in the tables about one address, and against which floor.

/** The distances of the world. */
export const DELAYS: Delays = { dnsMs: 10, proxyMs: 10, replyMs: 50 };
const COLD_MAX = 1.08;
// A kept connection, and all that goes through a proxy or asks once more.
const MORE_MAX = 1.2;
const CATCH_ALL_MAX = 1.03;

/** What can be asked about. */
export const SITUATIONS = ['valid', 'unknown user', 'catch-all'] as const;
export type Situation = (typeof SITUATIONS)[number];
/** The right answer to each. */
export const RIGHT: Readonly<Record<Situation, Answer>> = {
	valid: 'valid',
	'unknown user': 'invalid',
	'catch-all': 'catch_all',
};

const { dnsMs, proxyMs, replyMs } = DELAYS;
// Greeting, EHLO, and one group of MAIL and both RCPT (RFC 2920).
const COLD_REPLIES = 3;
const FLOOR = {
	direct: { cold: 2 * dnsMs + COLD_REPLIES * replyMs, warm: replyMs },
	// Method and credentials while DNS is asked; CONNECT after it.
	socks: { cold: Math.max(2 * dnsMs, 2 * proxyMs) + proxyMs + COLD_REPLIES * replyMs, warm: replyMs },
} as const;

/** One row of a table: somebody, at one temperature. */
export interface Row {
	readonly title: string;
	/** The name in the runner. */
	readonly contender: string;
	readonly way: BenchDomain['way'];
	/** `cold`: a domain that nobody knows. `own`: one asked about just before; `shared`: at an operator of many domains. */
	readonly kind: 'cold' | 'own' | 'shared';
}

/** Our names in the runner. */
export const OURS = { direct: 'Mailsonar', socks: 'Mailsonar by SOCKS5' } as const;
/** Names of Google's hosts, so that whoever treats shared operators in a way of its own does it here. */
export const SHARED_HOST = { direct: 'aspmx.l.google.com', socks: 'alt1.aspmx.l.google.com' } as const;

const bare = (name: keyof typeof BARE, kind: Row['kind']): Row => {
	return { title: 'bare client', contender: name, way: BARE[name].way, kind };
};
const ours = (way: BenchDomain['way'], kind: Row['kind'], title = '**Mailsonar**'): Row => {
	return { title, contender: OURS[way], way, kind };
};
const peers = (kind: Row['kind']): readonly Row[] =>
	Object.keys(PEERS).map((name) => ({ title: name, contender: name, way: 'direct', kind }));

/** In the order of the document. */
export const TABLES: readonly { title: string; floorMs: number; rows: readonly Row[] }[] = [
	{
		title: 'Cold, direct',
		floorMs: FLOOR.direct.cold,
		rows: [bare('bare client, direct', 'cold'), ours('direct', 'cold'), ...peers('cold')],
	},
	{
		title: 'Warm, direct: two other mailboxes of the domain were asked about just before',
		floorMs: FLOOR.direct.warm,
		rows: [
			bare('bare client, direct, kept connection', 'shared'),
			ours('direct', 'shared', '**Mailsonar**, shared operator'),
			ours('direct', 'own', '**Mailsonar**, mail host of its own'),
			...peers('shared'),
		],
	},
	{
		title: 'Cold, through SOCKS5 with password (no peer can)',
		floorMs: FLOOR.socks.cold,
		rows: [bare('bare client, SOCKS5', 'cold'), ours('socks', 'cold')],
	},
	{
		title: 'Warm, through SOCKS5',
		floorMs: FLOOR.socks.warm,
		rows: [
			bare('bare client, SOCKS5, kept connection', 'shared'),
			ours('socks', 'shared', '**Mailsonar**, shared operator'),
			ours('socks', 'own', '**Mailsonar**, mail host of its own'),
		],
	},
];

/** Times and answers of a row in a situation. */
export type Taken = Map<string, { readonly ms: number[]; wrong: number }>;

/** The key of a row and situation in what was taken. */
export function keyOf({ contender, kind }: Row, situation: Situation): string {
	return `${contender}, ${kind}, ${situation}`;
}

/** Times of a call that needs no network, in milliseconds. */
export interface Offline {
	readonly runtime: readonly number[];
	readonly wrangler: readonly number[];
}

/** All tables in Markdown, and whether the goals are met. */
export function renderAddress(taken: Taken, offline: Offline): string {
	const of = (row: Row, situation: Situation) => taken.get(keyOf(row, situation)) ?? { ms: [], wrong: 0 };
	const valid = (row: Row | undefined): number =>
		row === undefined ? Number.NaN : median(of(row, 'valid').ms);
	const tables = TABLES.map(({ title, floorMs, rows }, index) => {
		const bestPeer = Math.min(...rows.filter(({ contender }) => contender in PEERS).map(valid));
		// All peers once; then the best of them.
		const shown = rows.filter((row) => index === 0 || !(row.contender in PEERS) || valid(row) === bestPeer);
		const body = shown.map((row) => [
			row.title,
			...SITUATIONS.map((situation) => {
				const { ms, wrong } = of(row, situation);
				return `${spread(ms)}${wrong === 0 ? '' : ` ✗${wrong}`}`;
			}),
			(valid(row) / floorMs).toFixed(2),
			Number.isFinite(bestPeer) ? (valid(row) / bestPeer).toFixed(2) : '–',
		]);
		const head = ['', ...SITUATIONS.map((situation) => `${situation}, ms`), '× floor', '× best peer'];
		const floor = ['floor (computed)', ...SITUATIONS.map(() => String(floorMs)), '1.00', ''];
		return `**${title}**\n\n${table([head, floor, ...body])}`;
	});
	// A catch-all is asked two more invented recipients once it has shown itself: one round trip more.
	const catchAll = goalOfCatchAll(median(of(ours('direct', 'cold'), 'catch-all').ms));
	const goals = TABLES.map(({ title, floorMs, rows }) => {
		const mine = rows.find(({ contender }) => contender === OURS.direct || contender === OURS.socks);
		const max = mine?.kind === 'cold' && mine.way === 'direct' ? COLD_MAX : MORE_MAX;
		const found = valid(mine) / floorMs;
		const name = title.replace(/[:(].*/, '').trim();
		return `- ${goal(`${name}: at most ${max} × the floor`, `${found.toFixed(2)} ×`, found <= max)}`;
	});
	return [
		`Median (least–most) of ${of(TABLES[0]!.rows[0]!, 'valid').ms.length} runs each, interleaved. DNS ${dnsMs} ms, each reply of the proxy ${proxyMs} ms, ` +
			`each reply of a mail server ${replyMs} ms. ✗n: n of the answers were wrong (a catch-all domain's mailbox called valid).`,
		...tables,
		`What is neither DNS nor SMTP: the same call about a disposable address takes ${spread(offline.runtime)} ms, ` +
			`and through wrangler's own Worker, around which all calls of this bench go, ${spread(offline.wrangler)} ms.`,
		[...goals, catchAll].join('\n'),
	].join('\n\n');
}

function goalOfCatchAll(foundMs: number): string {
	const floorMs = FLOOR.direct.cold + replyMs;
	const found = foundMs / floorMs;
	const name = `Catch-all, cold, direct: at most ${CATCH_ALL_MAX} × its own floor of ${floorMs} ms`;
	return `- ${goal(name, `${found.toFixed(2)} ×`, found <= CATCH_ALL_MAX)}`;
}
