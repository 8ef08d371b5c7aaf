import { PublicPage } from '../../layout.tsx';
import { SUB_STATUSES } from '../../../core/verification/sub-status.ts';
import type { View } from '../../view.ts';

interface OptOutProps {
	readonly view: View;
	/** Where a wish is sent; null: none is configured. */
	readonly contact: string | null;
}

/** The page for operators of mail servers that we asked: who we are, what we do, and how to opt out. */
export function OptOutPage({ view, contact }: OptOutProps) {
	return (
		<PublicPage
			view={view}
			title="Be left alone"
			address="/opt-out"
			islands={['copy']}
			description="Mailsonar asked your mail server about a mailbox? What we do, what we never do, and how to have your domain left alone."
		>
			<section class="band stack" aria-labelledby="opt-out">
				<h1 id="opt-out">We asked your mail server about a mailbox</h1>
				<p class="lead">
					One of our customers has an address at your domain, and asked us whether it exists before writing to
					it. So one of our machines said EHLO, MAIL FROM and RCPT TO, and went away.
				</p>
				<h2>What we never do</h2>
				<ul>
					<li>Send a mail: we end before DATA, so nobody receives anything.</li>
					<li>Ask for lists: no VRFY, no EXPN.</li>
					<li>
						Hurry: a server of your own gets two connections at a time and sixty recipients a minute from one
						address of ours, all our customers together. A customer who guesses names at one domain gets even
						less.
					</li>
					<li>Come by another address when you block one.</li>
				</ul>
				<h2>How to be left alone, by a letter</h2>
				<p>
					{contact === null ? (
						<>
							Write to postmaster at the domain of the name that our machine introduced itself with (the name
							after EHLO in your log),
						</>
					) : (
						<>
							Write to <a href={`mailto:${contact}`}>{contact}</a>
						</>
					)}{' '}
					from an address at your domain, and name the domain.
				</p>
				<p>
					From then on no machine of ours connects for an address at this domain or at any name below it, nor
					to a mail server whose name lies in it. Our customers read “{SUB_STATUSES.opted_out.reason}”, and
					pay nothing.
				</p>
			</section>
		</PublicPage>
	);
}
