import { parseArgs } from 'node:util';
import { isAddress } from '../../lib/ip-address.ts';
import { sleep } from '../../lib/time.ts';
import { textTable } from '../../lib/text.ts';
import { readProberConfig } from '../config.ts';
import type { ProberConfig } from '../config.ts';
import { checkClock, checkEgress } from './check-egress.ts';
import type { CheckDns, CheckPorts, Finding } from './check-egress.ts';
import type { SenderIdentity } from '../ports.ts';
import { nodeDns } from './node-dns.ts';
import { nodePorts, withSources } from './node-ports.ts';

/** How `check` is used. */
export const CHECK_USAGE = `Usage: npm run -s prober -- check [--mx HOST] [--dns ADDRESS[:PORT]] [--seen-as ADDRESS]
                                     [--page URL] [--clock URL]

Looks at what mail operators see of each source address, with the prober's own environment, and asks nobody about any
mailbox. Ends with 1 where something is wrong.

--mx       a mail host to connect to on SMTP_PORT, by name or address; else one of Gmail's
--dns      the name server to ask; else the system's
--seen-as  the address that the Internet sees, where this machine has another (NAT)
--page     the page with the imprint; else that of http://HELO_NAME/
--clock    a web server whose Date is believed`;

// Plain HTTP on purpose: with a clock that is far off no certificate would be good.
const CLOCK_URL = 'http://www.cloudflare.com/';
// It has both families and greets everybody.
const MAIL_HOST = 'gmail-smtp-in.l.google.com';

// Addresses of both families, and public: to find by which address this machine speaks to the Internet, no more.
const ANYWHERE = ['1.1.1.1', '2606:4700:4700::1111'];

const OPTIONS = {
	mx: { type: 'string', default: MAIL_HOST },
	dns: { type: 'string' },
	'seen-as': { type: 'string' },
	page: { type: 'string' },
	clock: { type: 'string', default: CLOCK_URL },
	help: { type: 'boolean', default: false },
} as const;

/**
 * Runs the check and prints what it found. Throws a `ConfigError` where the prober would not start.
 *
 * @returns the exit code: 0 where nothing is wrong, 1 where something is, 2 where the words were not understood
 */
export async function runCheck(
	words: readonly string[],
	env: object,
	print: (text: string) => void,
): Promise<0 | 1 | 2> {
	const options = readOptions(words);
	if (options === null || options.help) {
		print(CHECK_USAGE);
		return options === null ? 2 : 0;
	}
	const sections = await look(readProberConfig(env), options);
	print(sections.map(({ title, findings }) => `${title}\n${forPeople(findings)}`).join('\n\n'));
	const findings = sections.flatMap((section) => section.findings);
	const wrong = findings.filter(({ state }) => state === 'wrong').length;
	print(wrong === 0 ? '\nNothing is wrong.' : `\n${wrong} to mend before mail operators are asked anything.`);
	return wrong === 0 ? 0 : 1;
}

type Options = NonNullable<ReturnType<typeof readOptions>>;

function readOptions(words: readonly string[]) {
	try {
		const { values } = parseArgs({ args: [...words], options: OPTIONS });
		const seenAs = values['seen-as'];
		return seenAs === undefined || isAddress(seenAs) ? values : null;
	} catch {
		return null;
	}
}

interface Section {
	readonly title: string;
	readonly findings: readonly Finding[];
}

async function look(config: ProberConfig, options: Options): Promise<readonly Section[]> {
	const dns = nodeDns(options.dns ?? null);
	const clock = { now: () => Date.now(), sleep };
	const general = { heloName: config.HELO_NAME, mailFrom: config.MAIL_FROM };
	const towards = await addressesOf(options.mx, dns);
	const portsAs = (identity: SenderIdentity): CheckPorts =>
		nodePorts(
			{
				identity,
				smtpPort: config.SMTP_PORT,
				mailHost: options.mx,
				clockUrl: options.clock,
				pageUrl: options.page ?? null,
				seenAs: options['seen-as'] ?? null,
			},
			dns,
			clock,
		);
	const sections: Section[] = [];
	for (const configured of config.SMTP_EGRESS) {
		const identity = {
			heloName: configured.heloName ?? general.heloName,
			mailFrom: configured.mailFrom ?? general.mailFrom,
		};
		for (const egress of await withSources(configured, towards))
			sections.push({
				title: egress.label,
				findings: await checkEgress(portsAs(identity), egress, identity),
			});
	}
	return [...sections, { title: 'this machine', findings: [await checkClock(portsAs(general))] }];
}

async function addressesOf(host: string, dns: CheckDns): Promise<readonly string[]> {
	if (isAddress(host)) return [host];
	const found = await dns.addresses(host).catch(() => []);
	return found.length > 0 ? found : ANYWHERE;
}

const WORDS: Readonly<Record<Finding['state'], string>> = {
	ok: 'ok',
	warning: 'mind',
	wrong: 'WRONG',
	unknown: '?',
};

function forPeople(findings: readonly Finding[]): string {
	return textTable(
		findings.map(({ what, state, found, todo }) => [
			'',
			WORDS[state],
			what,
			todo === null ? found : `${found}: ${todo}`,
		]),
	);
}
