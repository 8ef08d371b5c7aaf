import { budgetOf } from '../src/core/turns/budget.ts';
import { PART_OF_LISTS } from '../src/core/turns/day.ts';
import { warmth } from '../src/core/turns/budget.ts';
import type { OperatorName } from '../src/core/mail-operators/operators.ts';

/**
 * The assumptions beside the operators' rows: change them here, and run `npm run update:capacity`. Prices in dollars.
 */
export const ASSUMED = {
	/** Where the addresses are. `own`: on hosts of their own, each of which has a budget for itself. */
	mix: { google: 0.45, outlook: 0.2, apple: 0.05, microsoft365: 0.15, own: 0.15 },
	/** Lists do not come evenly, and source addresses rest now and then: so much of the days' budgets is used. */
	used: 0.7,
	daysAMonth: 30,
	/** A small machine with port 25 open, with one address; further addresses of it. A month. */
	machine: 6,
	address: 2,
	/** Several small networks rather than one block. */
	addressesAMachine: 4,
	/** Cloudflare's plan a month, and what a million addresses of lists cost there while parts wait for budgets: `npm run bench -- giants`. */
	plan: 5,
	million: 0.9,
} as const;

// A tenant's domain is asked about one invented recipient for each address, as lists have few of each domain; the domains of
// Google, Outlook and Apple themselves are remembered.
const ROWS: readonly { readonly title: string; readonly of: OperatorName | null; readonly each: number }[] = [
	{ title: 'Google: gmail.com and Workspace', of: 'google', each: 1 },
	{ title: 'Outlook: outlook.com, hotmail.com, live.com', of: 'outlook', each: 1 },
	{ title: 'Apple: icloud.com', of: 'apple', each: 1 },
	{ title: 'Microsoft 365, all tenants', of: 'microsoft365', each: 2 },
	{ title: 'GMX', of: 'gmx', each: 1 },
	{ title: 'a gateway (Proofpoint, Mimecast, …), all customers', of: 'proofpoint', each: 2 },
	{ title: 'a hosting company, all customers', of: 'ovh', each: 2 },
	{ title: 'any other mail host', of: null, each: 1 },
];
const MILLIONS = [1, 10, 100] as const;
const WARM_UP_DAYS = 9;

/** `docs/capacity.md`, computed from the operators' rows. */
export function renderCapacity(): string {
	return [
		'# How much can be asked, and what it costs',
		'Made by `npm run update:capacity` from the operators’ rows (`src/core/mail-operators`, `src/core/turns/budget.ts`) and from the\n' +
			'assumptions in `tools/capacity.ts`. A prober’s `PROBER_BUDGETS` overrides the rows. The figures are starting\n' +
			'points, which no operator has promised.',
		'## What one source address settles',
		'The table is for an address that operators know. Lists have nine tenths of each budget, single calls one tenth.',
		table([
			['operator', 'recipients a minute', 'a day', 'addresses of lists a day', 'hours that takes'],
			...ROWS.map(operatorRow),
		]),
		'If each address is at a domain of its own, we ask an invented recipient beside it, which takes half of the budget, and open a\n' +
			'connection to each customer’s host. Unknown mail hosts have a budget each, so together they limit nothing.',
		`A new source address has ${warmUp()} of that on its first ${WARM_UP_DAYS} days.`,
		'## Source addresses and dollars a month',
		`Assumed: ${mixInWords()}; and ${percent(ASSUMED.used)} of the days’ budgets in use.\nAll source addresses ask all operators, so the scarcest one decides: ${scarcest()}.`,
		table([
			[
				'addresses a month',
				'a day',
				'source addresses',
				'machines',
				'machines and addresses, $',
				'Cloudflare, $',
				'all, $',
			],
			...MILLIONS.map(monthRow),
		]),
		`Assumed: a machine with port 25 and one address for $${ASSUMED.machine} a month, a further address for $${ASSUMED.address}, ${ASSUMED.addressesAMachine} addresses a machine; Cloudflare’s\n` +
			`plan for $${ASSUMED.plan}, and $${ASSUMED.million} for a million addresses of lists, whose parts wait for budgets\n` +
			'(`npm run bench -- giants`). Single calls cost more there and are not in it (`docs/performance.md`).',
		'A list of 50,000 takes one source address most of a day, because gmail.com is 22,500 of it and a day allows 18,000; with ten it takes\n' +
			'an hour. Addresses that we can’t ask about within `JOB_HORIZON_SECONDS` are `unknown` with `no_capacity`, and cost nothing.',
		'## What one machine carries',
		'A question with a new connection takes a prober about a millisecond and a half of processor, so one core answers six hundred a second:\n' +
			'far more than the budgets of its source addresses allow. It takes 2,000 questions at once, and refuses more; a thousand open ones\n' +
			'hold some 220 MB (`npm run bench -- prober`, `docs/performance.md`).',
		'An account is one object, which answers one call after the other. With the Worker and the load beside it on two cores, one account had\n' +
			'some 700 single verifications, or 2,100 looks at its credits, in a second (`npm run bench -- http`). That is far beyond its rate\n' +
			'windows, and each other account has an object of its own.',
		'',
	].join('\n\n');
}

/** Addresses of lists that one source address settles a day at an operator. */
export function addressesADay(of: OperatorName | null, recipientsEach: number): number {
	return Math.floor((budgetOf(of).recipientsPerDay * PART_OF_LISTS) / recipientsEach);
}

/** Source addresses for so many addresses a month, by the scarcest operator. */
export function sourcesFor(addressesAMonth: number): number {
	const aDay = addressesAMonth / ASSUMED.daysAMonth;
	return Math.max(...needs().map(({ each }) => Math.ceil((aDay * each) / ASSUMED.used)));
}

/** The part of a source address's day that one address of the mix takes, by operator. */
function needs(): readonly { readonly title: string; readonly each: number }[] {
	return Object.entries(ASSUMED.mix).flatMap(([name, share]) => {
		const row = ROWS.find(({ of }) => of === name);
		return row === undefined ? [] : [{ title: row.title, each: share / addressesADay(row.of, row.each) }];
	});
}

function scarcest(): string {
	const [first] = needs().toSorted((a, b) => b.each - a.each);
	return first?.title ?? '';
}

function operatorRow({ title, of, each }: (typeof ROWS)[number]): readonly string[] {
	const { recipientsPerMinute, recipientsPerDay, connectionsPerMinute } = budgetOf(of);
	const asking = recipientsPerDay / recipientsPerMinute;
	// Each customer’s host takes a connection of its own.
	const dialling = each === 1 ? 0 : addressesADay(of, each) / (connectionsPerMinute * PART_OF_LISTS);
	const hours = Math.max(asking, dialling) / 60;
	return [
		title,
		count(recipientsPerMinute),
		count(recipientsPerDay),
		count(addressesADay(of, each)),
		hours.toFixed(1),
	];
}

function monthRow(millions: (typeof MILLIONS)[number]): readonly string[] {
	const addresses = millions * 1_000_000;
	const sources = sourcesFor(addresses);
	const machines = Math.ceil(sources / ASSUMED.addressesAMachine);
	const hosts = machines * ASSUMED.machine + (sources - machines) * ASSUMED.address;
	const cloud = ASSUMED.plan + millions * ASSUMED.million;
	return [
		count(addresses),
		count(Math.round(addresses / ASSUMED.daysAMonth)),
		count(sources),
		count(machines),
		count(hosts),
		count(Math.round(cloud)),
		count(Math.round(hosts + cloud)),
	];
}

function warmUp(): string {
	const days = Array.from({ length: WARM_UP_DAYS }, (_, day) => percent(warmth(day)));
	return `${days.slice(0, -1).join(', ')} and ${days.at(-1) ?? ''}`;
}

function mixInWords(): string {
	const { google, outlook, apple, microsoft365, own: ownHosts } = ASSUMED.mix;
	return (
		`${percent(google)} at gmail.com, ${percent(outlook)} at Outlook, ${percent(apple)} at iCloud, ` +
		`${percent(microsoft365)} at tenants of Microsoft 365 and ${percent(ownHosts)} on hosts of their own`
	);
}

function percent(share: number): string {
	return `${Math.round(share * 100)} %`;
}

function count(number: number): string {
	return number.toLocaleString('en');
}

function table(rows: readonly (readonly string[])[]): string {
	const [head = []] = rows;
	const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.slice(1).map(line)].join('\n');
}
