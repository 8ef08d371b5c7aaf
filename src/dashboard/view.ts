import type { Island } from './assets/texts.js';

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

/** Who is signed in. */
export interface Viewer {
	readonly email: string;
	readonly name: string | null;
	/** The account is suspended: every page says so. */
	readonly suspended?: boolean;
}

/** What every page needs beside its own content. */
export interface View {
	/** Path of the page itself: the theme switch comes back to it. */
	readonly path: string;
	readonly theme: Theme;
	/** Epoch milliseconds. */
	readonly now: number;
	readonly viewer: Viewer | null;
	/** Goes into every form; empty where nothing needs protection. */
	readonly csrf: string;
	readonly assets: AssetPaths;
}

/** Addresses of our own files; their names change with their content. */
export interface AssetPaths {
	readonly style: string;
	readonly icon: string;
	readonly islands: Readonly<Record<Island, string>>;
}
