import type { Child } from 'hono/jsx';
import { PublicPage } from '../layout.tsx';
import type { View } from '../view.ts';

/** A public page to be read from top to bottom. */
export function TextPage(props: {
	readonly view: View;
	readonly title: string;
	readonly description: string;
	/** See `PublicPage`. */
	readonly address?: string;
	readonly children: Child;
}) {
	const { children, ...page } = props;
	return (
		<PublicPage {...page}>
			<article class="text-page">
				<h1>{page.title}</h1>
				{children}
			</article>
		</PublicPage>
	);
}

/** Puts facts into a text. A paragraph, an item or a row that asks for a fact which is not there is left out. */
export function fillIn(text: string, facts: Readonly<Record<string, string | undefined>>): string {
	return text
		.replaceAll(/<(p|li|tr)>(?:(?!<\1>)[^])*?<\/\1>/g, (block) =>
			[...block.matchAll(/\{\{([a-z-]+)\}\}/g)].some(
				([, name = '']) => name in facts && facts[name] === undefined,
			)
				? ''
				: block,
		)
		.replaceAll(/\{\{([a-z-]+)\}\}/g, (whole, name: string) => facts[name] ?? whole);
}
