import type { Behaviour } from '../../behaviour.ts';
import { accept, mailboxes, says } from '../../behaviour.ts';
import type { Expectation } from '../../expectation.ts';
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

/** What is said of everybody whose mailbox does not exist; the others are accepted. */
export function ofStrangers(reply: string): Behaviour {
	return { rcpt: mailboxes(accept, says(reply)) };
}

/** What is said of a mailbox that exists; the others are unknown. */
export function ofMembers(reply: string): Behaviour {
	return { rcpt: mailboxes(says(reply)) };
}

/** What is said of whoever is asked for. */
export function ofAll(reply: string): Behaviour {
	return { rcpt: says(reply) };
}

/** What is said instead of a welcome. */
export function atGreeting(reply: string): Behaviour {
	return { greeting: () => reply };
}

/** What is said of our envelope sender. */
export function atMail(reply: string): Behaviour {
	return { mail: reply };
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
