import type { Config } from '../config.ts';
import type { Island } from './assets/texts.js';
import type { Flash } from './session.ts';

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

/** The person who is signed in. */
export interface Viewer {
	readonly email: string;
	readonly name: string | null;
	/** The account is suspended: every page says so. */
	readonly suspended?: boolean;
}

/** The data that every page needs besides its own content. */
export interface View {
	/** The path of the page, to which the theme switch returns. */
	readonly path: string;
	readonly theme: Theme;
	/** Epoch milliseconds. */
	readonly now: number;
	readonly viewer: Viewer | null;
	/** The token for every form; empty where nothing needs protection. */
	readonly csrf: string;
	readonly assets: AssetPaths;
	readonly site: Site;
	/** The message of the last action, shown once. */
	readonly flash?: Flash | null;
}

/** The facts about this installation in the frame of a page. */
export interface Site {
	/** Its public URL, without a trailing slash; null where none is configured. */
	readonly base: string | null;
	/** Its operator is named, so that there is an imprint. */
	readonly hasOperator: boolean;
	/** Where the terms are: ours, which name the operator, or the operator's own; null: there are none. */
	readonly terms: string | null;
	/** The operator published a contact. */
	readonly hasContact: boolean;
}

/** URLs of our own files, whose names change with their content. */
export interface AssetPaths {
	readonly sans: string;
	readonly style: string;
	readonly icon: string;
	readonly touchIcon: string;
	/** The picture of link previews. */
	readonly preview: string;
	readonly islands: Readonly<Record<Island, string>>;
}

/** Where people write who want credits, or have a question about a purchase: an https address or mailto:. */
export function contactUrlOf({
	CONTACT_URL,
	CONTACT_ADDRESS,
	MAIL_SENDER,
}: Pick<Config, 'CONTACT_URL' | 'CONTACT_ADDRESS' | 'MAIL_SENDER'>): string | null {
	// Our mails say that an answer to them is read.
	const address = CONTACT_ADDRESS ?? MAIL_SENDER;
	return CONTACT_URL ?? (address === undefined ? null : `mailto:${address}`);
}
