import { keyNamedBy } from '../src/core/keys/api-key.ts';
import { visible } from '../src/lib/text.ts';
import { readWords, UsageError } from './arguments.ts';
import { readDevVars } from './dev-vars.ts';
import { egressTable } from './egress-table.ts';
import type { ToldProber } from './egress-table.ts';
import { forPeople, jsonLine } from './for-people.ts';
import { OperatorError, callOperator, serviceAt } from './operator-client.ts';
import { checkService } from './check-service.ts';
import { ringing } from './alerts.ts';
import { HOURS_MAX, readStats, statsReport } from './stats.ts';
import type { Stats } from './stats.ts';

// `npm run ops -- …`: the operator's tool. It calls a running service, local or deployed, over HTTP.

const USAGE = `Usage: npm run ops -- COMMAND [--url URL] [--json]

  account create --email EMAIL [--credits N] [--location weur]
                                               opens an account, near there, and prints its first key, once
  account find EMAIL                           the open accounts of an address
  account show ACCOUNT                         credits, limits and keys, and what contradicts itself in its books
  account suspend|unsuspend ACCOUNT            shuts an account for all its keys and ends its jobs, or opens it again
  account restore ACCOUNT --at TIME|--bookmark B [--confirm]
                                               takes keys, credits and jobs back to a time of the last 30 days, or to a
                                               bookmark; without --confirm it only says what it would do
  trail [ACCOUNT] [--before ID]                what operators did, the newest hundred entries
  account attach ACCOUNT --email EMAIL         lists an account that the database has lost, under its owner's address
  credits grant ACCOUNT N --id ID              adds N credits (takes back, if negative); a repeated id changes nothing
  limits set ACCOUNT [--default N] [--batch N] [--polling N]
  key test ACCOUNT [--label WORDS]             makes a test key, whose answers are made up and free, and prints it once
  key revoke KEY | ACCOUNT KEYID               takes effect on the next request; a key names its account
  jobs show JOB                                a job, and the parts that still drive it
  jobs end JOB                                 ends it early: what is not answered becomes unknown, and is refunded
  jobs retry JOB                               has its open parts worked on again, at once
  abuse DOMAIN [--day 2026-11-22]              the accounts that asked about a domain on a day of the last seven (UTC); today
                                               unless said otherwise
  guessers                                     accounts that guess mailboxes of a domain, and are slowed there
  refuse DOMAIN                                asks the mail servers of a domain, and of all names below it, no more
  refuse --list                                the domains that are not asked
  refuse --remove DOMAIN                       asks them again
  stats [--hours N] [--dataset NAME]           what was noted in Analytics Engine, a table a metric; the last 24 h
                                               of production (mailsonar) unless said otherwise
  alerts [--hours N] [--dataset NAME]          which alerts ring for the last hour (then exits 1, and posts them to the pager
                                               whose webhook is in ALERT_WEBHOOK_URL); the rules: tools/alerts.ts
  check-service                                health, and a verification by the test key in MAILSONAR_TEST_KEY; exits 1
                                               and calls the pager, as alerts do
  egress                                       all probers: their source addresses, and which operators turned them away

The service is --url, else MAILSONAR_URL, else http://localhost:8787. Your own token comes from OPERATOR_TOKEN, or
from .dev.vars. With --json, nothing but the JSON goes to stdout.`;

const OPTIONS = {
	url: { type: 'string' },
	json: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
	email: { type: 'string' },
	credits: { type: 'string' },
	location: { type: 'string' },
	label: { type: 'string' },
	id: { type: 'string' },
	at: { type: 'string' },
	bookmark: { type: 'string' },
	before: { type: 'string' },
	confirm: { type: 'boolean', default: false },
	default: { type: 'string' },
	batch: { type: 'string' },
	polling: { type: 'string' },
	list: { type: 'boolean', default: false },
	remove: { type: 'string' },
	day: { type: 'string' },
	hours: { type: 'string' },
	dataset: { type: 'string', default: 'mailsonar' },
} as const;

const PAGER_MS = 20_000;

type Values = ReturnType<typeof readLine>['values'];

/** The findings of a watch: a quiet one has an empty list. */
interface Watched {
	readonly watched: string;
	readonly problems: readonly string[];
}

/** A call of the operators' API: method, path and body. */
type Call = readonly [method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object];

function readLine(given: readonly string[]) {
	// A negative number is an argument here, not a switch.
	const args = given.map((word) => (/^-\d+$/.test(word) ? `\0${word}` : word));
	const usual = process.env['MAILSONAR_URL'] || 'http://localhost:8787';
	const { values, positionals } = readWords(args, OPTIONS);
	const words = positionals.map((word) => word.replace('\0', ''));
	return { values: { ...values, url: values.url ?? usual }, words };
}

/** The commands that are one call each, by their words; the words behind them are the arguments. */
const CALLS: Readonly<Record<string, (words: readonly string[], values: Values) => Call>> = {
	'account create': (_, { email, credits: text, location }) => {
		const credits = text === undefined ? undefined : whole('--credits', text);
		return ['POST', '/accounts', { email: required('--email', email), credits, location }];
	},
	'account find': ([email]) => ['POST', '/find-accounts', { email: required('the address', email) }],
	'account show': (words) => ['GET', pathOf('account', words)],
	'account suspend': (words) => ['POST', `${pathOf('account', words)}/suspend`],
	'account unsuspend': (words) => ['POST', `${pathOf('account', words)}/unsuspend`],
	'account restore': (words, { at, bookmark, confirm }) => {
		const path = `${pathOf('account', words)}/restore`;
		if ((at === undefined) === (bookmark === undefined))
			throw new UsageError('Name either --at or --bookmark');
		return ['POST', path, { at, bookmark, confirm }];
	},
	'account attach': (words, { email }) => [
		'POST',
		`${pathOf('account', words)}/attach`,
		{ email: required('--email', email) },
	],
	'credits grant': (words, { id }) => {
		const grant = { id: required('--id', id), credits: whole('the number of credits', words[1]) };
		return ['POST', `${pathOf('account', words)}/grants`, grant];
	},
	'limits set': (words, values) => {
		const path = `${pathOf('account', words)}/limits`;
		const given = (['default', 'batch', 'polling'] as const).flatMap((name) =>
			values[name] === undefined ? [] : [[name, whole(`--${name}`, values[name])] as const],
		);
		return ['PATCH', path, Object.fromEntries(given)];
	},
	'key test': (words, { label = 'Test key' }) => ['POST', `${pathOf('account', words)}/test-keys`, { label }],
	'jobs show': (words) => ['GET', pathOf('job', words)],
	'jobs end': (words) => ['POST', `${pathOf('job', words)}/end`],
	'jobs retry': (words) => ['POST', `${pathOf('job', words)}/retry`],
	guessers: () => ['GET', '/guessers'],
	egress: () => ['GET', '/egress'],
	abuse: ([domain], { day = new Date().toISOString().slice(0, 10) }) => [
		'GET',
		`/askers?${query({ domain: required('the domain', domain), day })}`,
	],
	trail: ([account], { before }) => ['GET', `/trail?${query({ account, before })}`],
	refuse: ([domain], { list, remove }) => {
		if (list) return ['GET', '/refused-domains'];
		if (remove === undefined) return ['POST', '/refused-domains', { domain: required('the domain', domain) }];
		return ['DELETE', `/refused-domains/${encodeURIComponent(required('the domain', remove))}`];
	},
};
/** Those of one word take arguments right behind it. */
const WITH_ARGUMENTS = new Set(['abuse', 'trail', 'refuse']);

async function run(words: readonly string[], values: Values): Promise<object> {
	const [noun = '', verb, ...rest] = words;
	const isAlone = verb === undefined;
	if (values.help) return {};
	if (noun === 'stats' && isAlone) return stats(values, '24');
	if (noun === 'alerts' && isAlone) return alerts(values);
	if (noun === 'check-service' && isAlone) return check(values);
	if (`${noun} ${verb}` === 'key revoke') return revokeKey(values, rest);
	const isWord = isAlone || WITH_ARGUMENTS.has(noun);
	const name = isWord ? noun : `${noun} ${verb}`;
	const call = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
	if (call === undefined)
		throw new UsageError(
			words.length === 0 ? 'Name a command' : `There is no command \`${words.join(' ')}\``,
		);
	return callOperator(serviceAt(values.url), ...call(isWord ? words.slice(1) : rest, values));
}

/** Revokes a key of an account. A key that was found somewhere says itself which one it is. */
async function revokeKey({ url }: Values, words: readonly string[]): Promise<object> {
	const named = words.length === 1 ? keyNamedBy(words[0] ?? '') : null;
	const { accountId, keyId } = named ?? { accountId: words[0], keyId: required('the key id', words[1]) };
	const path = `${pathOf('account', [accountId ?? ''])}/keys/${encodeURIComponent(keyId)}/revoke`;
	const revoked = await callOperator<object>(serviceAt(url), 'POST', path);
	return named === null ? revoked : { accountId, ...revoked };
}

function query(fields: Readonly<Record<string, string | undefined>>): string {
	const given = Object.entries(fields).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, value]],
	);
	return new URLSearchParams(given).toString();
}

function stats({ hours: text, dataset }: Values, usually: string): Promise<Stats> {
	const hours = whole('--hours', text ?? usually);
	if (hours < 1 || hours > HOURS_MAX) throw new UsageError(`--hours is 1 to ${HOURS_MAX}`);
	if (!/^[a-z_]{1,64}$/.test(dataset)) throw new UsageError('--dataset is no name of a dataset');
	return readStats({ ...readDevVars(), ...process.env }, hours, dataset);
}

/** Evaluates the alerts, and calls the pager if one rings. */
async function alerts(values: Values): Promise<Watched> {
	const read = await stats(values, '1');
	if (Object.values(read.figures).every((rows) => rows.length === 0))
		throw new OperatorError(
			`The dataset ${values.dataset} holds nothing of this time, so no alert can ring: METRICS=off in the settings, or the Worker is away`,
		);
	return watched(ringing(read), values.dataset);
}

/** Asks the service as a customer would, and calls the pager if it does not answer as it should. */
async function check({ url }: Values): Promise<Watched> {
	const key = required('MAILSONAR_TEST_KEY', process.env['MAILSONAR_TEST_KEY']);
	return watched(await checkService(url, key), url);
}

async function watched(problems: readonly string[], of: string): Promise<Watched> {
	const pager = process.env['ALERT_WEBHOOK_URL'] ?? '';
	if (problems.length > 0 && pager !== '')
		await callPager(pager, `Mailsonar (${of}): ${problems.join('; ')}`);
	return { watched: of, problems };
}

/** Posts a message to a pager's webhook: `text`, which Slack, Mattermost and most pagers show. */
async function callPager(webhook: string, text: string): Promise<void> {
	const response = await fetch(webhook, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ text }),
		signal: AbortSignal.timeout(PAGER_MS),
	}).catch((cause: unknown) => {
		throw new OperatorError('The pager (ALERT_WEBHOOK_URL) cannot be reached', { cause });
	});
	await response.body?.cancel();
	if (!response.ok) throw new OperatorError(`The pager (ALERT_WEBHOOK_URL) answered ${response.status}`);
}

function pathOf(what: 'account' | 'job', [id]: readonly string[]): string {
	return `/${what}s/${encodeURIComponent(required(`the ${what}`, id))}`;
}

function required(what: string, value: string | undefined): string {
	if (value === undefined || value === '') throw new UsageError(`${what} is missing`);
	return value;
}

function whole(what: string, value: string | undefined): number {
	const text = required(what, value).replace('\0', '');
	const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
	if (!Number.isSafeInteger(number)) throw new UsageError(`${what} must be a whole number`);
	return number;
}

/** The service's report of a planned restore, or of one that was done. */
interface Restoration {
	readonly accountId: string;
	readonly secondsBack: number | null;
	readonly restored: { readonly undoBookmark: string } | null;
}

/** The answer for people, with what is to be done next. */
function restorationReport(answer: Restoration): string {
	const { accountId, restored } = answer;
	if (restored === null)
		return `${forPeople(answer)}\n\nNothing has changed. The same call with --confirm does it.`;
	const account = encodeURIComponent(accountId);
	const undo = encodeURIComponent(restored.undoBookmark);
	return `${forPeople(answer)}

The account is as it was then, its suspension included. Next:
  npm run ops -- account show ${account}
      keys revoked since then work again: revoke them; keys made since are gone
  npm run ops -- account restore ${account} --bookmark ${undo} --confirm
      undoes it
Files (R2) and the database (D1) were not restored. Purchases paid since
are booked again. Credits that an operator granted since are not: grant them again, with their ids.`;
}

function wordsOf(answer: object): string {
	if ('secondsBack' in answer && 'restored' in answer) return restorationReport(answer as Restoration);
	if ('figures' in answer) return statsReport(answer as Stats);
	if ('watched' in answer) return (answer as Watched).problems.map(visible).join('\n') || 'All is well.';
	return 'probers' in answer ? egressTable(answer.probers as readonly ToldProber[]) : forPeople(answer);
}

/** Runs a command and prints its answer. Returns the exit code. */
export async function ops(given: readonly string[]): Promise<number> {
	try {
		const { values, words } = readLine(given);
		const answer: Partial<Record<'problems' | 'silent', readonly string[]>> = await run(words, values);
		console.log(values.help ? USAGE : values.json ? jsonLine(answer) : wordsOf(answer));
		// The answer lacks the accounts that a silent prober knows.
		const { problems = [], silent = [] } = answer;
		return problems.length + silent.length > 0 ? 1 : 0;
	} catch (error) {
		if (!(error instanceof UsageError || error instanceof OperatorError)) throw error;
		console.error(visible(error.message));
		if (error instanceof OperatorError) return 1;
		console.error(`\n${USAGE}`);
		return 2;
	}
}

if (import.meta.main) process.exitCode = await ops(process.argv.slice(2));
