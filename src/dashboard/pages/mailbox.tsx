import type { DevelopmentMail } from '../../operations/identity-ports.ts';
import { PublicPage } from '../layout.tsx';
import { Empty } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import type { View } from '../view.ts';

const LINK = /(https?:\/\/\S+)/;

/** Mails that a developer's machine did not send, with links that can be clicked. */
export function MailboxPage(props: { readonly view: View; readonly mails: readonly DevelopmentMail[] }) {
	const { view, mails } = props;
	return (
		<PublicPage view={view} title="Mailbox">
			<div class="stack">
				<div class="stack-small">
					<h1>Mailbox</h1>
					<p class="quiet">This page exists in development only. In production these mails are sent.</p>
				</div>
				{mails.length === 0 && (
					<Empty title="No mail yet" text="Sign up, or ask for a new password, and the mail lands here." />
				)}
				{mails.map((mail) => (
					<article class="stack-small" aria-labelledby={`mail-${mail.id}`}>
						<h2 id={`mail-${mail.id}`}>{mail.subject}</h2>
						<p class="quiet small">
							To <span class="mono">{mail.to}</span>, <Time at={mail.at} now={view.now} />
						</p>
						{mail.text
							.trim()
							.split('\n\n')
							.map((paragraph) => (
								<p>
									{paragraph
										.split(LINK)
										.map((piece) => (LINK.test(piece) ? <a href={piece}>{piece}</a> : piece))}
								</p>
							))}
					</article>
				))}
			</div>
		</PublicPage>
	);
}
