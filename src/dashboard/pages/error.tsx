import { PublicPage } from '../layout.tsx';
import { ButtonLink } from '../parts/button.tsx';
import type { View } from '../view.ts';

export interface ErrorProps {
	readonly view: View;
	readonly title: string;
	readonly text: string;
	/** What to tell us when asking for help. */
	readonly requestId: string;
}

/** What went wrong, and the ways on. */
export function ErrorPage({ view, title, text, requestId }: ErrorProps) {
	const isSignedIn = view.viewer !== null;
	return (
		<PublicPage view={view} title={title}>
			<div class="narrow">
				<div class="stack-small">
					<h1>{title}</h1>
					<p>{text}</p>
				</div>
				<p class="row">
					<ButtonLink href={isSignedIn ? '/dashboard' : '/'}>
						{isSignedIn ? 'Back to the dashboard' : 'Back to the start'}
					</ButtonLink>
					<ButtonLink kind="quiet" href="/docs">
						Read the docs
					</ButtonLink>
				</p>
				<p class="small quiet">
					Request <span class="mono">{requestId}</span>
				</p>
			</div>
		</PublicPage>
	);
}
