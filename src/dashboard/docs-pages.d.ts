/** Made from src/dashboard/texts and docs/openapi.json when the Worker is built (tools/docs/pages.ts). */
declare module 'docs:pages' {
	/** A page of the documentation. Words in double braces are configuration, which the Worker fills in. */
	interface DocsPage {
		/** `/docs/guides/lists`. */
		readonly path: string;
		readonly title: string;
		/** Its place in the navigation. */
		readonly group: string;
		/** One sentence: for search engines and /llms.txt. */
		readonly summary: string;
		readonly markdown: string;
		/** All that stands below the title. */
		readonly html: string;
		/** The headings of the second level. */
		readonly headings: readonly { readonly id: string; readonly title: string }[];
	}

	/** The documentation, in the order of its navigation. */
	const PAGES: readonly DocsPage[];
	/** Terms, imprint, contact, security and opt-out. */
	const TEXTS: readonly DocsPage[];
}
