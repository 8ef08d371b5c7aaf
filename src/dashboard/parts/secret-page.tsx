import type { Child } from 'hono/jsx';
import { DashboardPage } from '../layout.tsx';
import type { NavPlace } from '../layout.tsx';
import { ButtonLink, CodeBlock, Notice } from './basic.tsx';

/** The only page that ever shows a key or a secret. It answers the form itself: for a redirect it would have to be stored. */
export function SecretPage(props: {
	readonly place: NavPlace;
	readonly title: string;
	/** Where to go on. */
	readonly next: string;
	/** Its id on the page, the secret, and its name for screen readers. */
	readonly secret: { readonly id: string; readonly code: string; readonly what: string };
	/** Its use, and the remedy if it is lost. */
	readonly words: string;
	readonly children: Child;
}) {
	const { place, title, next, secret } = props;
	return (
		<DashboardPage
			place={place}
			title={title}
			up={place}
			action={<ButtonLink href={next}>I have stored it</ButtonLink>}
		>
			<Notice kind="warning" title="This is the only time you see it">
				{props.words}
			</Notice>
			<CodeBlock {...secret} wrap />
			{props.children}
		</DashboardPage>
	);
}
