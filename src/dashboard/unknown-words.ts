import { statusOf } from '../core/verification/sub-status.ts';
import type { SubStatus, SubStatusOf } from '../core/verification/sub-status.ts';

/**
 * Who gave no answer, if there was none. `server`: it was reached; `unreached`: no host of the domain was; `names`: its
 * name servers; `unasked`: nobody was asked; `ours`: a fault of ours.
 */
export type Silence = 'server' | 'unreached' | 'names' | 'unasked' | 'ours';

interface Words {
	readonly silence: Silence;
	/** What to do next. It blames whoever is to blame, and promises nothing. */
	readonly advice: string;
}

const IN_VAIN = 'Asking again will hardly help';

/** What the pages say beside the reason of each `unknown`. */
export const UNKNOWNS = {
	timeout: {
		silence: 'server',
		advice: 'Verify the address again later, or send with care.',
	},
	no_connect: {
		silence: 'unreached',
		advice: 'The mail server could not be reached from here. Verify the address again later.',
	},
	unavailable_smtp: {
		silence: 'server',
		advice: 'The mail server has trouble at the moment. Verify the address again later.',
	},
	greylisted: {
		silence: 'server',
		advice: 'Verify the address again in 15 minutes, or put it in a list, which asks again by itself.',
	},
	rate_limited: {
		silence: 'server',
		advice:
			'Verify the address again later, or put it in a list, which keeps to the pace of the mail server.',
	},
	antispam_system: {
		silence: 'server',
		advice: `The mail server would not tell us. ${IN_VAIN}: send with care.`,
	},
	gateway_protected: {
		silence: 'server',
		advice: `The gateway would not tell us. ${IN_VAIN}: send with care.`,
	},
	catch_all_unresolved: {
		silence: 'server',
		advice:
			'The mail server takes every address, so only a message can tell. Send where a bounce does no harm.',
	},
	probe_blocked: {
		silence: 'server',
		advice:
			'The mail server refuses us, and your own mail may well arrive. Verify the address again tomorrow.',
	},
	tls_required: {
		silence: 'server',
		advice: `${IN_VAIN} until the mail server's encryption is repaired: send with care.`,
	},
	dns_error: {
		silence: 'names',
		advice: "The domain's name servers did not tell where its mail goes. Verify the address again later.",
	},
	smtputf8_unsupported: {
		silence: 'server',
		advice: `${IN_VAIN}. Ask for an address in plain letters if you can.`,
	},
	no_capacity: { silence: 'unasked', advice: 'We did not get to ask. Verify the address again later.' },
	not_asked: { silence: 'unasked', advice: 'Nobody was asked. Verify the address again when you need it.' },
	accepts_everything: { silence: 'unasked', advice: `${IN_VAIN}: send with care.` },
	opted_out: { silence: 'unasked', advice: `${IN_VAIN}: send with care.` },
	free_limit: { silence: 'unasked', advice: 'Nobody was asked. Verify the address again tomorrow.' },
	unexpected_error: { silence: 'ours', advice: 'This is our fault. Verify the address again later.' },
} as const satisfies Record<SubStatusOf<'unknown'>, Words>;

/** Whether the reason is one of those for which nothing is known of the address. */
export function isUnknown(subStatus: SubStatus): subStatus is SubStatusOf<'unknown'> {
	return statusOf(subStatus) === 'unknown';
}
