/** Made from ./assets, ./texts and docs/openapi.json when the Worker is built (tools/site.ts). */
declare module 'built:site' {
	/** A page of the documentation, whose text is a file of its own. Words in double braces are configuration. */
	interface DocsPage {
		/** `/docs/guides/lists`. */
		readonly path: string;
		readonly title: string;
		/** Its place in the navigation. */
		readonly group: string;
		/** One sentence: for search engines and /llms.txt. */
		readonly summary: string;
		/** The headings of the second level. */
		readonly headings: readonly { readonly id: string; readonly title: string }[];
	}

	/** The documentation, in the order of its navigation. */
	const PAGES: readonly DocsPage[];
	/** Terms, imprint, contact, security and opt-out. */
	const TEXTS: readonly DocsPage[];
	/** The URLs of our own files; `preview` is the picture of link previews. */
	const ASSET_PATHS: Readonly<
		Record<'sans' | 'style' | 'script' | 'icon' | 'favicon' | 'touchIcon' | 'preview', string>
	>;
}
