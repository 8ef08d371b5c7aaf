import type { Behaviour } from '../../behaviour.ts';
import { accept, mailboxes } from '../../behaviour.ts';
import { deliverable, undeliverable, unknown } from '../../expectation.ts';
import type { ProviderRow, Reply } from './row.ts';
import { known, missing } from './row.ts';

const unknownUser = undeliverable('rejected_email');
// A gateway that accepts whoever is asked for: acceptance says nothing, and nothing else speaks for the address.
const acceptsAll: { behaviour: Behaviour; expect: ProviderRow['expect'] } = {
	behaviour: { rcpt: accept },
	expect: { ...unknown('catch_all_unresolved'), catch_all: true },
};

function behind(gateway: string, mx: string, rows: readonly Reply[]): ProviderRow[] {
	return rows.map((row) => ({ ...row, gateway, mx, smtpProvider: null }));
}

/** Secure e-mail gateways and how they answer a probe, from vendors' documents and collected bounces. */
export const GATEWAY_ROWS: readonly ProviderRow[] = [
	...behind('proofpoint', 'gslb.pphosted.com', [
		known('proofpoint-user', deliverable()).ofStrangers('550 5.1.1 <{rcpt}>... User unknown'),
		missing('proofpoint-unknown').ofStrangers('550 5.1.1 <{rcpt}>... User unknown'),
		missing('proofpoint-no-such-user', unknownUser).ofStrangers('550 5.1.1 No such user - pp'),
		{ name: 'proofpoint-all', ...acceptsAll },
		known('proofpoint-blocked', unknown('probe_blocked')).atGreeting(
			'554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.25',
		),
		known('proofpoint-reputation', unknown('probe_blocked')).atMail(
			'550 5.7.0 Message refused by Proofpoint Reputation Services',
		),
	]),
	...behind('proofpoint', 'ppe-hosted.com', [
		missing('essentials-invalid').ofStrangers(
			'550 5.7.1 <{rcpt}>: Recipient address rejected: User email address is marked as invalid.',
		),
		known('essentials-user', deliverable()).ofStrangers(
			'550 5.7.1 <{rcpt}>: Recipient address rejected: User email address is marked as invalid.',
		),
	]),
	...behind('mimecast', 'eu.mimecast.com', [
		missing('mimecast-unknown').ofStrangers(
			'550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [rQ0aMTOCMzGz5yz0.uk302]',
		),
		known('mimecast-deferred', unknown('greylisted')).ofAll(
			'451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451',
		),
		// Its default for unknown internal users is a 451: an accepted target differs from every stranger.
		known('mimecast-strangers-deferred', deliverable(null)).ofStrangers(
			'451 Recipient temporarily unavailable',
		),
		{ name: 'mimecast-all', ...acceptsAll },
		known('mimecast-reputation', unknown('probe_blocked')).ofAll(
			'550 csi.mimecast.org Poor Reputation Sender - envelope rejected',
		),
		known('mimecast-place', unknown('probe_blocked')).atGreeting(
			'554 Host network not allowed - https://community.mimecast.com/docs/DOC-1369#554',
		),
	]),
	...behind('barracuda', 'ess.barracudanetworks.com', [
		missing('barracuda-unknown').ofStrangers(
			'550 cuda_nsu 5.1.1 <{rcpt}>: Recipient address rejected: User unknown',
		),
		missing('barracuda-no-such-user', unknownUser).ofStrangers('550 No such user ({rcpt})'),
		known('barracuda-blocked', unknown('probe_blocked')).ofAll(
			'550 permanent failure for one or more recipients ({rcpt}:blocked)',
		),
	]),
	...behind('cisco', 'iphmx.com', [
		missing('cisco-unknown').ofStrangers('550 #5.1.0 Address rejected.'),
		known('cisco-harvest', unknown('rate_limited')).ofAll('550 Too many invalid recipients'),
		// Its directory is asked in the conversation, and our invented recipient uses up what it allows.
		known('cisco-harvest-later', deliverable(null)).ofStrangers('550 Too many invalid recipients'),
		known('cisco-reputation', unknown('probe_blocked')).atGreeting(
			"554-esa1.hc1234.iphmx.com\n554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
		),
		known('cisco-access', unknown('probe_blocked')).ofAll(
			'550 #5.7.1 Your access to submit messages to this e-mail system has been rejected.',
		),
		{ name: 'cisco-all', ...acceptsAll },
	]),
	...behind('symantec', 'cluster1.eu.messagelabs.com', [
		missing('symantec-unknown').ofStrangers('550-Invalid recipient <{rcpt}>\n550 (#5.1.1)'),
		{ name: 'symantec-all', ...acceptsAll },
	]),
	...behind('trendmicro', 'tmes.trendmicro.eu', [
		known('trend-blocked', unknown('probe_blocked')).ofAll(
			'550 5.7.1 <{rcpt}>: Recipient address rejected: blocked using Trend Micro Email Reputation Service',
		),
		missing('trend-unknown').ofStrangers('550 5.1.1 <{rcpt}>: Recipient address rejected: User unknown'),
	]),
	...behind('sophos', 'eu-central-1.prod.hydra.sophos.com', [
		missing('sophos-unknown').ofStrangers(
			'550 5.1.1 <{rcpt}>: Recipient address rejected: Mailbox not found',
		),
		{ name: 'sophos-all', ...acceptsAll },
	]),
	...behind('spamexperts', 'antispamcloud.com', [
		missing('spamexperts-unknown').ofStrangers('550 Recipient verify failed: no such user here'),
		// It asks the server behind it first. Other servers would have been given up by then.
		known('spamexperts-callout', deliverable(null)).plays({ calloutMs: 10_500 }),
	]),
	...behind('fortinet', 'fortimailcloud.com', [
		// Only the shape of a name is taken: whoever is taken, it is no catch-all and no proof.
		known('fortinet-mixed', unknown('catch_all_unresolved')).plays({
			rcpt: mailboxes(accept, ({ mailbox }) =>
				mailbox.includes('.') ? '550 5.1.1 User unknown' : '250 2.1.5 Ok',
			),
		}),
		known('fortinet-refuses-to-say', unknown('gateway_protected')).ofAll('550 5.7.1 Access denied'),
	]),
	...behind('proofpoint', 'ppe-hosted.com', [
		missing('exchange-behind-proofpoint').ofStrangers(
			'550 5.4.1 Recipient address rejected: Access denied. [DB5EUR03FT036.eop-EUR03.prod.protection.outlook.com]',
		),
	]),
];
