import type { DevelopmentMail } from '../../operations/people/port.ts';
import { NarrowPage } from '../layout.tsx';
import { Empty, Mono } from '../parts/table.tsx';
import { Time } from '../parts/figures.tsx';
import type { View } from '../view.ts';

const LINK = /(https?:\/\/\S+)/;

/** Mails that a developer's machine stored instead of sending, with clickable links. */
export function MailboxPage(props: { readonly view: View; readonly mails: readonly DevelopmentMail[] }) {
	const { view, mails } = props;
	return (
		<NarrowPage
			view={view}
			title="Mailbox"
			lead="Only a development machine has this page. In production we send these mails."
		>
			{mails.length === 0 && (
				<Empty title="No mail yet" text="Sign in, and the mail with the code lands here." />
			)}
			{mails.map((mail) => (
				<article class="stack-small" aria-labelledby={`mail-${mail.id}`}>
					<h2 id={`mail-${mail.id}`}>{mail.subject}</h2>
					<p class="quiet small">
						To <Mono text={mail.to} />, <Time at={mail.at} now={view.now} />
					</p>
					{mail.text
						.trim()
						.split('\n\n')
						.map((paragraph) => (
							<p>
								{paragraph.split(LINK).map((piece) =>
									LINK.test(piece) ? (
										<a href={piece}>
											<Mono text={piece} />
										</a>
									) : (
										piece
									),
								)}
							</p>
						))}
				</article>
			))}
		</NarrowPage>
	);
}
