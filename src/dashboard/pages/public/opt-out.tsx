import { PublicPage } from '../../layout.tsx';
import { CodeBlock } from '../../parts/code.tsx';
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
				<RecordFormat />
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

/** The open format of the record by which a domain tells verifiers to leave it alone. */
function RecordFormat() {
	return (
		<>
			<h2>How to be left alone, by a record of your own</h2>
			<p>
				Publish a TXT record at <code>_verify</code> below your domain. We look it up with your MX records,
				before we connect, and cache it as long as its TTL says:
			</p>
			<CodeBlock id="record" code={'_verify.example.com. 3600 IN TXT "v=ev1; ask=no"'} what="The record" />
			<p>
				The format is open: other services may follow it, and you may tell them so. A record begins with{' '}
				<code>v=ev1</code>. Tags follow, divided by semicolons, in any order and case; unknown ones are
				ignored. <code>ask=no</code> asks to leave the mail servers of this domain alone, and{' '}
				<code>ask=yes</code>, or no record, permits one question for each address. <code>rate=30</code> asks
				for at most thirty addresses a minute from all customers together, and six is the least.{' '}
				<code>contact</code> names a mailbox for people:
			</p>
			<CodeBlock
				id="record-contact"
				code={'_verify.example.com. 3600 IN TXT "v=ev1; rate=30; contact=postmaster@example.com"'}
				what="The record with a rate and a contact"
			/>
			<p>
				A record speaks for its own domain alone: subdomains have records of their own. If your name servers
				answer it more than a quarter of a second after MX and addresses, it holds from the next address on.
				We do not look it up for domains of large mailbox providers, such as gmail.com.
			</p>
		</>
	);
}
