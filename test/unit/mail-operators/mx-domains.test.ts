import { describe, expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/operators.ts';
import { readFacts } from '../../support/unit/facts.ts';
import type { Fact } from '../../support/unit/facts.ts';

// Goal: real MX records get the operator that the people who collected them saw.

type Row = Fact<'mx-domains'>;

// The source's words that are other words of ours. What it calls a gateway and we do not (a forwarder,
// a filter that comes with the hosting) is compared with smtp_provider.
const OURS: Readonly<Record<string, string>> = {
	vadesecure: 'vade',
	'anti-spam-premium': 'anti_spam_premium',
	fortimail: 'fortinet',
	comendo: 'vipre',
	mailanyone: 'vipre',
	messagelabs: 'symantec',
	mxthunder: 'spamhero',
	mailcontrol: 'forcepoint',
	'cisco-ironport': 'cisco',
	smxemail: 'smx',
	'security-mail': 'secuserve',
	'd-fence': 'd_fence',
	simnet: 'siminn',
	'cloudflare-email': 'cloudflare',
	mailspamprotection: 'siteground',
	jellyfish: 'namecheap',
	aws: 'amazon',
	kas: 'allinkl',
	mymailwall: 'ikarus',
};
// "Nobody in particular."
const NO_LABEL = new Set(['independent', 'local-isp', 'unknown']);
// The source also looks at SPF and the like. Its label can be compared when the hosts themselves show it.
const SHOWN: Readonly<Record<string, RegExp>> = {
	microsoft: /\.(outlook\.com|microsoft|hotmail\.com)\.?$/,
	google: /\.google(mail)?\.com\.?$/,
	aws: /\.amazonaws\.com\.?$/,
};

function agreement(rows: readonly Row[], labelOf: (row: Row) => string | undefined): [number, string[]] {
	const differences = rows.filter((row) => {
		const found = findMailOperator(row.mx);
		const label = labelOf(row) ?? '';
		const word = OURS[label] ?? label;
		return found?.gateway !== word && found?.smtpProvider !== word;
	});
	return [1 - differences.length / rows.length, differences.map((row) => row.mx.join(' '))];
}

describe('public bodies all over the world', () => {
	const rows = readFacts('mx-domains');

	test('99 % of the gateways have the name that the source gives them', () => {
		const labelled = rows.filter((row) => row.gateway_label !== undefined);
		const [share, differences] = agreement(labelled, (row) => row.gateway_label);
		console.log(`Gateways: ${(100 * share).toFixed(2)} % of ${labelled.length}`);
		expect(share).toBeGreaterThanOrEqual(0.99);
		// Sets with two gateways. The corpus sorts hosts by name, so neither of us knows which is preferred.
		for (const hosts of differences) expect(hosts).toMatch(/altospam|correolimpio|vadesecure/);
	});

	test('99 % of the providers have the name that the source gives them', () => {
		const labelled = rows.filter(
			({ provider_label: label, gateway_label: gateway }) =>
				label !== undefined && gateway === undefined && !NO_LABEL.has(label),
		);
		const shown = labelled.filter(({ provider_label: label = '', mx }) => {
			const pattern = SHOWN[label];
			return pattern === undefined || mx.some((host) => pattern.test(host));
		});
		const [share, differences] = agreement(shown, (row) => row.provider_label);
		console.log(
			`Providers: ${(100 * share).toFixed(2)} % of ${shown.length} (${labelled.length} with other evidence)`,
		);
		expect(differences).toEqual([]);
		expect(shown.length).toBeGreaterThan(100);
	});
});
