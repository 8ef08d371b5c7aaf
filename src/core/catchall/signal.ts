/** The groups of evidence. The scorecard's `CAPS` say how much each may move the total. */
export const SIGNAL_GROUPS = [
	'route',
	'auth',
	'mx',
	'web',
	'parking',
	'lists',
	'smtp_stack',
	'age',
	'mailbox',
	'pattern',
	'list_quality',
	'smtp',
	'footprint',
	'history',
] as const;
export type SignalGroup = (typeof SIGNAL_GROUPS)[number];

/** One measured fact. A fact that could not be measured gives no signal: it costs coverage, never points. */
export interface Signal {
	readonly group: SignalGroup;
	/** Unique among the signals of an address: what was measured and its result, `dmarc:reject`. */
	readonly label: string;
	/** +10 doubles the odds that a message reaches a mailbox, -10 halves them; 0: measured, but neutral. */
	readonly points: number;
	/** One sentence for people, without the address. */
	readonly text: string;
}
