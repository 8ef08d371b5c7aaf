// Runs the reply classifier over the labelled replies in ../shared/data, if they are present.
import { existsSync, readFileSync } from 'node:fs';
import type { OperatorName } from '../src/core/mail-operators/operators.ts';
import { classifyReply } from '../src/core/smtp/classify-reply.ts';
import type { Classification } from '../src/core/smtp/classify-reply.ts';
import type { Stage } from '../src/core/smtp/reply-reader.ts';

interface Row {
	id: string;
	code: number;
	enhanced: string | null;
	text: string;
	class: string;
	ambiguous: boolean;
	provider: string | null;
	command?: string | null;
}

// The data's names of operators, and ours.
const OPERATORS: Readonly<Record<string, OperatorName>> = {
	Google: 'google',
	Microsoft: 'microsoft365',
	Yahoo: 'yahoo',
	Apple: 'apple',
	Yandex: 'yandex',
	Zoho: 'zoho',
	Proofpoint: 'proofpoint',
	'Proofpoint Essentials': 'proofpoint_essentials',
	Mimecast: 'mimecast',
	Barracuda: 'barracuda',
	Cisco: 'cisco',
	'Broadcom/Symantec': 'symantec',
	'Trend Micro': 'trendmicro',
	ProtonMail: 'proton',
};

const STAGES: Readonly<Record<string, Stage>> = {
	CONN: 'greeting',
	HELO: 'ehlo',
	EHLO: 'ehlo',
	MAIL: 'mail',
	RCPT: 'rcpt',
};

interface Judged {
	row: Row;
	classification: Classification;
}

function parseRow(text: string): Row {
	const row: unknown = JSON.parse(text);
	if (!isRow(row)) throw new TypeError(`Not a labelled reply: ${text.slice(0, 80)}`);
	return row;
}

function isRow(row: unknown): row is Row {
	return typeof row === 'object' && row !== null && 'code' in row && 'text' in row && 'class' in row;
}

function judge(row: Row): Judged {
	// After DATA, or unknown: the label is about the wording, so it is judged as if it answered our RCPT.
	const stage = STAGES[row.command ?? ''] ?? 'rcpt';
	const reply = { code: row.code, enhanced: row.enhanced, lines: [row.text] };
	const operator = OPERATORS[row.provider ?? ''] ?? null;
	return { row, classification: classifyReply({ stage, reply, recipient: 'user@example.com', operator }) };
}

const isUndeliverable = ({ classification: { meaning } }: Judged) =>
	meaning === 'no_such_mailbox' || meaning === 'mailbox_disabled';

function line({ row, classification }: Judged): string {
	const who = `${row.provider ?? '-'} ${row.command ?? '-'}`;
	const reply = `${row.code} ${row.text}`.slice(0, 160);
	return `  ${row.class} -> ${classification.meaning} [${classification.rule}] ${who}: ${reply}`;
}

function report(title: string, judged: readonly Judged[]): void {
	const wrong = judged.filter(
		(one) =>
			isUndeliverable(one) && one.row.class !== 'mailbox_not_found' && one.row.class !== 'mailbox_disabled',
	);
	const missing = judged.filter((one) => one.row.class === 'mailbox_not_found');
	const unseen = missing.filter((one) => !isUndeliverable(one));
	const share = missing.length === 0 ? 100 : (100 * (missing.length - unseen.length)) / missing.length;
	console.log(`\n${title}: ${judged.length} rows`);
	console.log(`wrongly undeliverable: ${wrong.length} (target 0, at most 3)`);
	for (const one of wrong) console.log(line(one));
	const seen = `${missing.length - unseen.length} of ${missing.length} = ${share.toFixed(1)} %`;
	console.log(`mailbox_not_found recognised: ${seen} (target 97 %)`);
	for (const one of unseen) {
		console.log(`${line(one)}${one.row.code < 500 ? ' (temporary code: never undeliverable)' : ''}`);
	}
}

function confusion(judged: readonly Judged[]): void {
	const counts = new Map<string, Map<string, number>>();
	for (const { row, classification } of judged) {
		const ofClass = counts.get(row.class) ?? new Map<string, number>();
		ofClass.set(classification.meaning, (ofClass.get(classification.meaning) ?? 0) + 1);
		counts.set(row.class, ofClass);
	}
	console.log('\nlabel -> our meaning');
	for (const [label, meanings] of [...counts].toSorted(([a], [b]) => a.localeCompare(b))) {
		const sorted = [...meanings].toSorted(([, a], [, b]) => b - a);
		console.log(
			`  ${label.padEnd(24)} ${sorted.map(([meaning, count]) => `${meaning} ${count}`).join(', ')}`,
		);
	}
}

const DATA = new URL('../../shared/data/smtp-replies.jsonl', import.meta.url);

if (existsSync(DATA)) {
	const rows = readFileSync(DATA, 'utf8')
		.split('\n')
		.filter((text) => text !== '')
		.map(parseRow);
	const judged = rows.filter((row) => !row.ambiguous).map(judge);
	report('All unambiguous replies', judged);
	report(
		'Replies to RCPT alone',
		judged.filter(({ row }) => row.command === 'RCPT'),
	);
	confusion(judged);
	if (process.argv.includes('--all')) for (const one of judged) console.log(line(one));
} else {
	console.log('bench-replies: skipped, ../shared/data/smtp-replies.jsonl is not here');
}
