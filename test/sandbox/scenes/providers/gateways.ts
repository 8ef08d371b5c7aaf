import type { Behaviour } from '../../behaviour.ts';
import { accept, mailboxes, says } from '../../behaviour.ts';
import { deliverable, undeliverable, unknown } from '../../expectation.ts';
import type { ProviderRow } from './row.ts';
import { atGreeting, atMail, ofAll, ofStrangers } from './row.ts';

type Row = Pick<ProviderRow, 'name' | 'behaviour' | 'expect' | 'local'>;

const unknownUser = undeliverable('rejected_email');
// A gateway that accepts whoever is asked for: acceptance says nothing, and nothing else speaks for the address.
const acceptsAll: { behaviour: Behaviour; expect: ProviderRow['expect'] } = {
	behaviour: { rcpt: accept },
	expect: { ...unknown('catch_all_unresolved'), catch_all: true },
};

function behind(gateway: string, mx: string, rows: readonly Row[]): ProviderRow[] {
	return rows.map((row) => ({ ...row, gateway, mx, smtpProvider: null }));
}

/** Secure e-mail gateways and how they answer a probe, from vendors' documents and collected bounces. */
export const GATEWAY_ROWS: readonly ProviderRow[] = [
	...behind('proofpoint', 'gslb.pphosted.com', [
		{
			name: 'proofpoint-user',
			behaviour: ofStrangers('550 5.1.1 <{rcpt}>... User unknown'),
			expect: deliverable(),
		},
		{
			name: 'proofpoint-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 5.1.1 <{rcpt}>... User unknown'),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'proofpoint-no-such-user',
			local: 'nobody',
			behaviour: ofStrangers('550 5.1.1 No such user - pp'),
			expect: unknownUser,
		},
		{ name: 'proofpoint-all', ...acceptsAll },
		{
			name: 'proofpoint-blocked',
			behaviour: atGreeting('554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.25'),
			expect: unknown('probe_blocked'),
		},
		{
			name: 'proofpoint-reputation',
			behaviour: atMail('550 5.7.0 Message refused by Proofpoint Reputation Services'),
			expect: unknown('probe_blocked'),
		},
	]),
	...behind('proofpoint', 'ppe-hosted.com', [
		{
			name: 'essentials-invalid',
			local: 'nobody',
			behaviour: ofStrangers(
				'550 5.7.1 <{rcpt}>: Recipient address rejected: User email address is marked as invalid.',
			),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'essentials-user',
			behaviour: ofStrangers(
				'550 5.7.1 <{rcpt}>: Recipient address rejected: User email address is marked as invalid.',
			),
			expect: deliverable(),
		},
	]),
	...behind('mimecast', 'eu.mimecast.com', [
		{
			name: 'mimecast-unknown',
			local: 'nobody',
			behaviour: ofStrangers(
				'550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [rQ0aMTOCMzGz5yz0.uk302]',
			),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'mimecast-deferred',
			behaviour: ofAll(
				'451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451',
			),
			expect: unknown('greylisted'),
		},
		{
			// Its default for unknown internal users is a 451: an accepted target differs from every stranger.
			name: 'mimecast-strangers-deferred',
			behaviour: ofStrangers('451 Recipient temporarily unavailable'),
			expect: deliverable(null),
		},
		{ name: 'mimecast-all', ...acceptsAll },
		{
			name: 'mimecast-reputation',
			behaviour: ofAll('550 csi.mimecast.org Poor Reputation Sender - envelope rejected'),
			expect: unknown('probe_blocked'),
		},
		{
			name: 'mimecast-place',
			behaviour: atGreeting(
				'554 Host network not allowed - https://community.mimecast.com/docs/DOC-1369#554',
			),
			expect: unknown('probe_blocked'),
		},
	]),
	...behind('barracuda', 'ess.barracudanetworks.com', [
		{
			name: 'barracuda-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 cuda_nsu 5.1.1 <{rcpt}>: Recipient address rejected: User unknown'),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'barracuda-no-such-user',
			local: 'nobody',
			behaviour: ofStrangers('550 No such user ({rcpt})'),
			expect: unknownUser,
		},
		{
			name: 'barracuda-blocked',
			behaviour: ofAll('550 permanent failure for one or more recipients ({rcpt}:blocked)'),
			expect: unknown('probe_blocked'),
		},
	]),
	...behind('cisco', 'iphmx.com', [
		{
			name: 'cisco-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 #5.1.0 Address rejected.'),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			name: 'cisco-harvest',
			behaviour: ofAll('550 Too many invalid recipients'),
			expect: unknown('rate_limited'),
		},
		{
			// Its directory is asked in the conversation, and our invented recipient uses up what it allows.
			name: 'cisco-harvest-later',
			behaviour: ofStrangers('550 Too many invalid recipients'),
			expect: deliverable(null),
		},
		{
			name: 'cisco-reputation',
			behaviour: atGreeting(
				"554-esa1.hc1234.iphmx.com\n554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
			),
			expect: unknown('probe_blocked'),
		},
		{
			name: 'cisco-access',
			behaviour: ofAll('550 #5.7.1 Your access to submit messages to this e-mail system has been rejected.'),
			expect: unknown('probe_blocked'),
		},
		{ name: 'cisco-all', ...acceptsAll },
	]),
	...behind('symantec', 'cluster1.eu.messagelabs.com', [
		{
			name: 'symantec-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550-Invalid recipient <{rcpt}>\n550 (#5.1.1)'),
			expect: { ...unknownUser, catch_all: false },
		},
		{ name: 'symantec-all', ...acceptsAll },
	]),
	...behind('trendmicro', 'tmes.trendmicro.eu', [
		{
			name: 'trend-blocked',
			behaviour: ofAll(
				'550 5.7.1 <{rcpt}>: Recipient address rejected: blocked using Trend Micro Email Reputation Service',
			),
			expect: unknown('probe_blocked'),
		},
		{
			name: 'trend-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 5.1.1 <{rcpt}>: Recipient address rejected: User unknown'),
			expect: { ...unknownUser, catch_all: false },
		},
	]),
	...behind('sophos', 'eu-central-1.prod.hydra.sophos.com', [
		{
			name: 'sophos-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 5.1.1 <{rcpt}>: Recipient address rejected: Mailbox not found'),
			expect: { ...unknownUser, catch_all: false },
		},
		{ name: 'sophos-all', ...acceptsAll },
	]),
	...behind('spamexperts', 'antispamcloud.com', [
		{
			name: 'spamexperts-unknown',
			local: 'nobody',
			behaviour: ofStrangers('550 Recipient verify failed: no such user here'),
			expect: { ...unknownUser, catch_all: false },
		},
		{
			// It asks the server behind it first. Other servers would have been given up by then.
			name: 'spamexperts-callout',
			behaviour: { calloutMs: 10_500 },
			expect: deliverable(null),
		},
	]),
	...behind('fortinet', 'fortimailcloud.com', [
		{
			name: 'fortinet-mixed',
			// Only the shape of a name is taken: whoever is taken, it is no catch-all and no proof.
			behaviour: {
				rcpt: mailboxes(accept, ({ mailbox }) =>
					mailbox.includes('.') ? '550 5.1.1 User unknown' : '250 2.1.5 Ok',
				),
			},
			expect: unknown('catch_all_unresolved'),
		},
		{
			name: 'fortinet-refuses-to-say',
			behaviour: ofAll('550 5.7.1 Access denied'),
			expect: unknown('gateway_protected'),
		},
	]),
	{
		name: 'exchange-behind-proofpoint',
		mx: 'ppe-hosted.com',
		behaviour: {
			rcpt: mailboxes(
				accept,
				says(
					'550 5.4.1 Recipient address rejected: Access denied. [DB5EUR03FT036.eop-EUR03.prod.protection.outlook.com]',
				),
			),
		},
		local: 'nobody',
		expect: { ...unknownUser, catch_all: false },
		gateway: 'proofpoint',
		smtpProvider: null,
	},
];
