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
	readonly lead: Child;
	readonly children?: Child;
}) {
	const { view, title, description, address, lead, children } = props;
	return (
		<PublicPage
			view={view}
			title={title}
			description={description}
			{...(address === undefined ? {} : { address })}
		>
			<article class="text-page">
				<h1>{title}</h1>
				<p class="lead">{lead}</p>
				{children}
			</article>
		</PublicPage>
	);
}
