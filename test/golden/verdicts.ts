import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SHOP_SCENES } from '../sandbox/domains.ts';
import { PROVIDER_ROWS } from '../sandbox/scenes/providers.ts';
import { SCENES } from '../sandbox/scenes/scenes.ts';
import type { Scene } from '../sandbox/scenes/scene.ts';
import { failureOf, openService } from './adapter.ts';
import type { Judged, Told } from './adapter.ts';
import { catchAllAddresses, catchAllLists, addressesWithOutcome } from './catch-all.ts';
import { recordings } from './recorded.ts';
import { worldOf } from './world.ts';
import type { World } from './world.ts';

/** One verdict: a line of the file. */
export interface Line {
	readonly case: string;
	readonly [field: string]: string | number | boolean | null;
}

/** The committed file. */
export const VERDICTS = path.join(import.meta.dirname, 'verdicts.jsonl');

/** All verdicts as the code gives them now, in the order of the file. */
export async function verdicts(): Promise<readonly Line[]> {
	return [...(await ofScenes()), ...(await ofServers()), ...(await ofWordings()), ...(await ofCatchAlls())];
}

type Fields = Omit<Line, 'case'>;

// What every line says. `invalid`, `unknown` and so on are the API's own words.
function brief({ result, charge }: Told): Fields {
	const { attributes } = result.details;
	const { catch_all_score: found, catch_all_verdict: verdict = '' } = result;
	return {
		status: result.status,
		sub: result.details.sub_status,
		score: result.deliverability_score,
		...(found === undefined ? {} : { ca_score: found, verdict }),
		catch_all: attributes.catch_all,
		charge,
	};
}

/** With risk and `retry_after`, as rows of a list say it. */
function row(told: Told): Fields {
	const { risk_level: risk, retry_after: retry } = told.result;
	return { ...brief(told), risk, retry };
}

/** Every field of the answer; what is false is left out. */
function whole(told: Told): Fields {
	const { verified_at: _, evidence: __, email: ___, is_valid: ____, ...rest } = told.result;
	const shown = brief(told);
	const known = [
		'status',
		'sub_status',
		'deliverability_score',
		'catch_all_score',
		'catch_all_verdict',
		'catch_all',
	];
	const more = leaves(rest).filter(([name, value]) => value !== false && !known.includes(name));
	return { ...shown, ...Object.fromEntries(more) };
}

function leaves(value: object): readonly (readonly [string, Fields[string]])[] {
	return Object.entries(value).flatMap(([name, leaf]: [string, unknown]) =>
		typeof leaf === 'object' && leaf !== null ? leaves(leaf) : [[name, leaf as Fields[string]] as const],
	);
}

function judged({ score, verdict, catchAll, result, charge }: Judged): Fields {
	return {
		status: result.status,
		sub: result.details.sub_status,
		score,
		verdict,
		catch_all: catchAll,
		charge,
	};
}

/** Rows of a list, after them the task's, and those of a list that resolves its catch-all addresses itself. */
async function ofList(
	group: string,
	world: World,
	emails: readonly string[],
	others: readonly string[] = [],
): Promise<Line[]> {
	const list = await openService(world).list([...emails, ...others]);
	const inQuestion = ({ result }: Told): boolean => emails.includes(result.email);
	const [rows, rescued] = [list.rows.filter(inQuestion), list.rescued.filter(inQuestion)];
	return [
		...rows.map((told) => ({ case: `${group} | row | ${told.result.email}`, ...row(told) })),
		...list.task.map((found) => ({ case: `${group} | task | ${found.email}`, ...judged(found) })),
		...rescued.map((told) => ({ case: `${group} | rescued | ${told.result.email}`, ...brief(told) })),
	];
}

/** Scenes without samples of their own are asked about two people. */
function addressesOf({ domain, samples }: Scene): readonly string[] {
	return samples.length > 0 ? samples.map(({ address }) => address) : [`ada@${domain}`, `jane.doe@${domain}`];
}

async function ofScenes(): Promise<readonly Line[]> {
	const scenes = [...SCENES, ...SHOP_SCENES.slice(0, 1), ...PROVIDER_ROWS.map(({ scene }) => scene)];
	const world = worldOf(scenes);
	const lines: Line[] = [];
	for (const scene of scenes) {
		const addresses = addressesOf(scene);
		for (const email of addresses) {
			const fields = await openService(world)
				.alone(email)
				.then(whole, (error: unknown) => ({ failure: failureOf(error) }));
			lines.push({ case: `scene | alone | ${email}`, ...fields });
			const quick = await openService(world)
				.alone(email, { quick: true })
				.then(row, (error: unknown) => ({ failure: failureOf(error) }));
			lines.push({ case: `scene | quick | ${email}`, ...quick });
		}
		// Two more of the domain, as lists have them.
		const others = ['grace', 'nobody'].map((local) => `${local}@${scene.domain}`);
		lines.push(...(await ofList('scene', world, [...new Set([...addresses, ...others])])));
	}
	return lines;
}

async function ofServers(): Promise<readonly Line[]> {
	const lines: Line[] = [];
	for (const { program, kind, emails, world } of recordings()) {
		const [email = ''] = emails;
		const group = `server | ${program} | ${kind}`;
		lines.push({ case: `${group} | alone | ${email}`, ...row(await openService(world).alone(email)) });
		lines.push(...(await ofList(group, world, emails)));
	}
	return lines;
}

const WORDINGS = path.join(import.meta.dirname, '../../tools/replies/wordings.txt');

/** What a reply to RCPT is read as, where an invented recipient is plainly refused. */
async function ofWordings(): Promise<readonly Line[]> {
	const host = 'mx.reply.test';
	let group = '';
	const lines = new Map<string, Line>();
	for (const line of readFileSync(WORDINGS, 'utf8').split('\n')) {
		group = /^## (\w+)/.exec(line)?.[1] ?? group;
		const [, label, reply = ''] = /^([mso]) (.*)$/.exec(line) ?? [];
		if (label === undefined) continue;
		const said = reply
			.replaceAll('<>', '<ada@reply.test>')
			.replaceAll('<us>', '<verify@us.test>')
			.replaceAll('<host>', host);
		const rcpt = ({ mailbox }: { readonly mailbox: string }) =>
			mailbox === 'ada' ? said : '550 5.1.1 User unknown';
		const mail = [{ preference: 10, host, plays: { rcpt } }];
		const world = worldOf([{ domain: 'reply.test', does: '', mail, samples: [] }]);
		const { result } = await openService(world).alone('ada@reply.test');
		const read = result.evidence?.findLast(
			({ step, rule }) => step === 'rule' && rule !== result.details.sub_status,
		);
		const { rule = 'none', likelihood } = read ?? {};
		const name = `reply | ${group} | ${reply}`;
		const sure = likelihood === undefined ? {} : { likelihood };
		lines.set(name, { case: name, label, sub: result.details.sub_status, rule, ...sure });
	}
	return [...lines.values()];
}

async function ofCatchAlls(): Promise<readonly Line[]> {
	const lines: Line[] = [];
	for (const { name, world, emails } of catchAllAddresses()) {
		const [email = ''] = emails;
		lines.push({ case: `catch-all | ${name}`, ...brief(await openService(world).alone(email)) });
	}
	for (const { name, world, emails } of addressesWithOutcome()) {
		const [email = ''] = emails;
		for (const own of ['delivered', 'hard_bounce'] as const) {
			const told = await openService(world).alone(email, { own });
			lines.push({ case: `own ${own} | ${name}`, ...brief(told) });
		}
	}
	for (const { name, world, emails, others } of catchAllLists())
		lines.push(...(await ofList(`list | ${name}`, world, emails, others)));
	return lines;
}
