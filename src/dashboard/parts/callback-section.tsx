import type { Child } from 'hono/jsx';
import { Section } from '../layout.tsx';
import type { View } from '../view.ts';
import { CodeBlock } from './code.tsx';
import { Time } from './figures.tsx';

/** The secret that signs the callbacks of single lists, and the form that renews it. */
export function CallbackSection(props: {
	readonly view: View;
	readonly callbacks: { readonly secret: string | null; readonly formerSecretUntil: number | null };
	readonly children: Child;
}) {
	const { secret, formerSecretUntil: until } = props.callbacks;
	return (
		<Section title="Callbacks of single lists" id="callbacks">
			<div class="stack">
				<p>
					A list or a check that your program starts with a <code>callbackUrl</code> also calls that URL when
					it ends. We sign all such calls with one secret
					{secret === null ? ', which is made with the first of them.' : ':'}
				</p>
				{secret !== null && (
					<CodeBlock id="callback-secret" code={secret} what="The secret of callbacks" wrap />
				)}
				{until !== null && until > props.view.now && (
					<p class="quiet">
						Until <Time at={until} now={props.view.now} />, we also sign with the previous secret.
					</p>
				)}
				{props.children}
			</div>
		</Section>
	);
}
