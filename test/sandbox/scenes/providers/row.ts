import type { Behaviour } from '../../behaviour.ts';
import { accept, mailboxes, says } from '../../behaviour.ts';
import type { Expectation } from '../../expectation.ts';
import { undeliverable } from '../../expectation.ts';
import type { Scene } from '../scene.ts';

/** One reply of a real provider or gateway, as its servers give it. */
export interface ProviderRow {
	/** The domain's first label, and what the row is called. */
	readonly name: string;
	/** The end of the MX host's real name, by which the provider is known. */
	readonly mx: string;
	/** Where and how the reply is given. */
	readonly behaviour: Behaviour;
	/** Who is asked for: a mailbox that exists, unless said otherwise. */
	readonly local?: 'nobody';
	readonly expect: Expectation;
	/** The public words; null where the result names none. */
	readonly gateway: string | null;
	readonly smtpProvider: string | null;
}

/** A row before its provider is named. */
export type Reply = Pick<ProviderRow, 'name' | 'behaviour' | 'expect' | 'local'>;

/** A row that asks about a mailbox that exists. */
export function known(name: string, expect: Expectation) {
	return waysToSay({ name, expect });
}

/** A row that asks about one that does not. */
export function missing(name: string, expect: Expectation = KNOWN_TO_LACK) {
	return waysToSay({ name, expect, local: 'nobody' });
}

const KNOWN_TO_LACK = { ...undeliverable('rejected_email'), catch_all: false };

function waysToSay(row: Omit<Reply, 'behaviour'>) {
	const plays = (behaviour: Behaviour): Reply => ({ ...row, behaviour });
	return {
		plays,
		/** Of everybody whose mailbox does not exist; the others are accepted. */
		ofStrangers: (reply: string) => plays({ rcpt: mailboxes(accept, says(reply)) }),
		/** Of a mailbox that exists; the others are unknown. */
		ofMembers: (reply: string) => plays({ rcpt: mailboxes(says(reply)) }),
		ofAll: (reply: string) => plays({ rcpt: says(reply) }),
		/** Instead of a welcome. */
		atGreeting: (reply: string) => plays({ greeting: () => reply }),
		/** Of our envelope sender. */
		atMail: (reply: string) => plays({ mail: reply }),
	};
}

/** The address that a row asks about. */
export function addressOf({ name, local }: ProviderRow): string {
	return `${local ?? 'ada'}@${name}.test`;
}

/** The domain of a row, with a mail host of its own under the provider's real name. */
export function sceneOf(row: ProviderRow): Scene {
	return {
		domain: `${row.name}.test`,
		does: `As ${row.mx} does it.`,
		mail: [{ preference: 10, host: `${row.name}.${row.mx}`, plays: row.behaviour }],
		samples: [{ address: addressOf(row), expect: row.expect }],
	};
}
