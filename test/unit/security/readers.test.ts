import { expect, test } from 'vitest';
import { findContactPage, isAllowedByRobots, readPage } from '../../../src/core/catchall/domain/website.ts';
import { readMailtos, readDmarc, readSpf } from '../../../src/core/catchall/domain.ts';
import { wordingOf } from '../../../src/core/catchall/reply-difference.ts';
import { parseAddress } from '../../../src/core/address/parse-address.ts';
import { csvLine } from '../../../src/core/csv/write.ts';
import { describeDevice } from '../../../src/core/identity/device.ts';
import { readFormToken } from '../../../src/core/identity/tokens.ts';
import { readApiKey } from '../../../src/core/keys/api-key.ts';
import { classifyReply } from '../../../src/core/smtp/classify-reply.ts';
import { clausesOf } from '../../../src/core/smtp/reply-words/read-words.ts';
import { addressOf, findMailboxes } from '../../../src/core/upload/format.ts';
import { RowReader } from '../../../src/core/upload/text.ts';
import { judgeEndpointUrl } from '../../../src/core/webhooks/endpoint-url.ts';
import { safeNext } from '../../../src/dashboard/view.ts';
import { fileNameOf } from '../../../src/operations/jobs/export-results.ts';

// What strangers send, and what reads it. Most callers cut a text long before: here each reader is given all of it.

const DOMAIN = 'inbox.test';
const RECIPIENT = `ada@${DOMAIN}`;
const SECRETS = [{ version: 1, secret: new Uint8Array(32) }];

/** A reply whose line is as long as servers may make it, many times over. */
const replyOf = (text: string, code: number) => ({
	code,
	enhanced: null,
	lines: text.match(/[^]{1,4096}/g) ?? [],
});

/** The target's reply: those to invented recipients are read in the same way. */
function soundsOf(text: string): unknown {
	const reply = { code: 250, enhanced: null, lines: [text] };
	return wordingOf({ recipient: RECIPIENT, reply });
}

function rowsOf(text: string): unknown {
	const reader = new RowReader({
		encoding: 'utf-8',
		delimiter: ',',
		lineEnd: 'lf',
		hasSeparatorLine: false,
	});
	try {
		return [reader.push(new TextEncoder().encode(text)), reader.end()];
	} catch {
		// It says which row can be no row.
		return null;
	}
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
	'an address': (text) => parseAddress(text),
	'a cell with an address': (text) => addressOf(text),
	'a file of rows': rowsOf,
	'a text that was pasted': (text) => findMailboxes(`<${text}`),
	'a cell of a CSV': (text) => csvLine([text]),
	'the name of a list': (text) => fileNameOf(text, 'all', 'csv'),
	'an API key': (text) => readApiKey(SECRETS, text),
	'the token of a form': (text) => readFormToken('session x', text),
	'the name of a browser': (text) => describeDevice(text),
	'the page to go to after signing in': (text) => safeNext(`/dashboard${text}`),
	'the URL of an endpoint': (text) =>
		judgeEndpointUrl(`https://x.test/${text}`, { ownHost: null, allowsLoopback: false }),
	'a refusal of a mail server': (text) =>
		classifyReply({ stage: 'rcpt', reply: replyOf(text, 550), recipient: RECIPIENT, operator: null }),
	'the words of a refusal': (text) => clausesOf(text),
	'replies that are compared': soundsOf,
	'a home page': (text) => readPage(text),
	'links of a home page': (text) => [findContactPage(text, `https://${DOMAIN}/`), readMailtos(text, DOMAIN)],
	'a robots.txt': (text) =>
		isAllowedByRobots(`User-agent: *\nDisallow: /${text}\n`, `https://${DOMAIN}/contact`),
	'an SPF record': (text) => readSpf([`v=spf1 ${text}`]),
	'a DMARC record': (text) => readDmarc([`v=DMARC1; p=none; rua=mailto:${text}`]),
};

const PUMPS =
	`a|7| |.|-|@|"|""|\\"|'|<|<a|<a href="mailto:|<!--|<title>|&#|/|*|=|\n|,|;|a.|a@|a |1 |(|[|%|\u0301|ﷺ|<>|no |user unknown |mailto:|Disallow: /*`.split(
		'|',
	);

test.each(Object.keys(READERS))('%s of 100 KB is read in time that grows with its length alone', (name) => {
	const read = READERS[name]!;
	const steep = PUMPS.filter(
		(pump) => growth((size) => `${pump.repeat(size / pump.length)}!`, read) === 'steep',
	);
	expect(steep).toEqual([]);
});

// Times are compared with each other alone, as the process used them and not as the clock saw them, so that a busy machine
// changes nothing.

/** Each eight times as long as the one before: what grows by the square or faster is noticed before it takes minutes. */
const SIZES = [200, 1_600, 12_800, 102_400] as const;
/** Time in proportion makes this 8, time by the square 64. */
const STEEP = 24;
/** How often a time is taken: that of the shorter text, and both where the first found it steep. */
const FIRST_TIMES = 3;
const SURE_TIMES = 12;
/** Below this a time is too short to be compared: microseconds of processor. */
const MEASURABLE = 20_000;

/** `steep` where a text of up to 100 KB takes the work far more than eight times as long as an eighth of it. */
function growth(textOf: (size: number) => string, work: (text: string) => unknown): 'even' | 'steep' {
	for (const [index, size] of SIZES.entries()) {
		const shorter = SIZES[index - 1];
		if (shorter === undefined) continue;
		const [long, short] = [textOf(size), textOf(shorter)];
		const isSteep = (ofLong: number, times: number): boolean =>
			ofLong >= MEASURABLE && ofLong > STEEP * Math.max(best(short, work, times), 1);
		// Collecting garbage and compiling only ever add to a time: the more often, the nearer is the least to the truth.
		if (!isSteep(timeOf(long, work), FIRST_TIMES)) continue;
		if (isSteep(best(long, work, SURE_TIMES), SURE_TIMES)) return 'steep';
	}
	return 'even';
}

function best(text: string, work: (text: string) => unknown, times: number): number {
	return Math.min(...Array.from({ length: times }, () => timeOf(text, work)));
}

function timeOf(text: string, work: (text: string) => unknown): number {
	const begun = process.cpuUsage();
	work(text);
	const { user, system } = process.cpuUsage(begun);
	return user + system;
}

test('the measure tells time by the square from time in proportion', () => {
	const steps = (count: number): number => {
		let sum = 0;
		for (let step = 0; step < count; step += 1) sum += step % 7;
		return sum;
	};
	const text = (size: number): string => 'a'.repeat(size);
	expect(growth(text, ({ length }) => steps(length * 200))).toBe('even');
	expect(growth(text, ({ length }) => steps((length * length) / 300))).toBe('steep');
});
