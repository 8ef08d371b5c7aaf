import type { Child } from 'hono/jsx';
import { DashboardPage } from '../layout.tsx';
import type { NavPlace } from '../layout.tsx';
import type { View } from '../view.ts';
import { ButtonLink, CodeBlock, Notice } from './basic.tsx';

/** The only page that ever shows a key or a secret. It answers the form itself: for a redirect it would have to be stored. */
export function SecretPage(props: {
	readonly view: View;
	readonly title: string;
	readonly up: { readonly name: NavPlace; readonly href: string };
	/** Where to go on. */
	readonly next: string;
	/** Its id on the page, the secret, and its name for screen readers. */
	readonly secret: { readonly id: string; readonly code: string; readonly what: string };
	/** Its use, and the remedy if it is lost. */
	readonly words: string;
	readonly children: Child;
}) {
	const { view, title, up, secret } = props;
	return (
		<DashboardPage
			view={view}
			place={up.name}
			title={title}
			up={up}
			action={<ButtonLink href={props.next}>I have stored it</ButtonLink>}
		>
			<Notice kind="warning" title="This is the only time you see it">
				<p>{props.words}</p>
			</Notice>
			<CodeBlock {...secret} wrap />
			{props.children}
		</DashboardPage>
	);
}
