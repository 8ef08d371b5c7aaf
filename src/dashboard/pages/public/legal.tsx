import { inCredits, PRICE } from '../../../core/credits/price.ts';
import { TextPage } from '../../parts/text-page.tsx';
import type { View } from '../../view.ts';

/** The operator of this installation. */
export interface Operator {
	readonly name: string;
	/** Line by line: street and town, then whatever else their law asks for. */
	readonly address: readonly string[];
}

/** How they can be reached; null: not configured. */
export interface Contacts {
	readonly mail: string | null;
	/** An https address or mailto:. */
	readonly url: string | null;
}

interface LegalProps {
	readonly view: View;
	readonly operator: Operator;
	readonly contacts: Contacts;
}

/** Instead of a page whose facts only the operator knows. */
export function NotFilledInPage({ view, title }: { readonly view: View; readonly title: string }) {
	return (
		<TextPage
			view={view}
			title={title}
			description="Not filled in."
			lead="The operator of this installation has not filled this in."
		>
			<p>Nothing here is linked to this page, and it is not the place to learn who runs the service.</p>
		</TextPage>
	);
}

/** The person or company responsible for this installation. */
export function ImprintPage({ view, operator, contacts }: LegalProps) {
	return (
		<TextPage
			view={view}
			title="Imprint"
			description={`${operator.name} runs this service.`}
			address="/imprint"
			lead="Who runs this service and answers for it."
		>
			<OperatorAddress operator={operator} />
			<Ways contacts={contacts} />
		</TextPage>
	);
}

/** Where questions go. */
export function ContactPage({
	view,
	operator,
	contacts,
}: Omit<LegalProps, 'operator'> & { readonly operator: Operator | null }) {
	return (
		<TextPage
			view={view}
			title="Contact"
			description="Questions about an answer, an account or an invoice, and reports about security."
			address="/contact"
			lead="Questions about an answer, an account or an invoice, and reports about security."
		>
			<Ways contacts={contacts} />
			<p>
				If an answer looks wrong, tell us the address, when you asked, and the X-Request-Id of the answer if
				you have it. Never send us an API key or a password: we do not need them.
			</p>
			{operator !== null && <OperatorAddress operator={operator} />}
		</TextPage>
	);
}

/** The terms, which promise no more than the software does. */
export function TermsPage({ view, operator, contacts, kept }: LegalProps & { readonly kept: string }) {
	return (
		<TextPage
			view={view}
			title="Terms"
			description={`What ${operator.name} offers with this service, what it costs, and what it may not be used for.`}
			address="/terms"
			lead={`Between you and ${operator.name}, about this service.`}
		>
			<h2>What the service does</h2>
			<p>
				It says whether an email address takes mail, by what the domain’s name servers and mail servers say at
				that moment, and for catch-all domains by an estimate with its reasons. A mail server may say
				something else a minute later. An answer is no promise that a message will arrive, and no permission
				to write to anybody.
			</p>
			<h2>Credits</h2>
			<p>
				A definite answer costs {inCredits(PRICE.single)}; an unknown is free, and we release its reserved
				credit. Prices are those shown when you buy. The ledger in your account lists every credit.
			</p>
			<h2>What it may not be used for</h2>
			<ul>
				<li>Guessing mailboxes: asking for names that you made up, to learn which exist.</li>
				<li>Addresses that you may not process by the law that applies to you.</li>
				<li>Several accounts to get around limits or to collect trial credits.</li>
				<li>Anything that harms the mail servers that are asked, or others who use the service.</li>
			</ul>
			<p>We may slow down or suspend an account that does. We don’t ask domains that opted out.</p>
			<h2>Your data</h2>
			<p>
				The addresses remain yours. We process them to answer you, and delete lists and results {kept} after a
				job ends; <a href="/security">Security and privacy</a> has the details.
			</p>
			<h2>Availability</h2>
			<p>
				No availability is promised beyond what the law requires or we have agreed with you in writing.{' '}
				<a href="/status">Status</a> shows the state of the service now.
			</p>
			<h2>Ending it</h2>
			<p>
				You can delete your account at any time, under Settings. Remaining credits are lost, unless the law
				says otherwise.
			</p>
			<h2>Who we are</h2>
			<OperatorAddress operator={operator} />
			<Ways contacts={contacts} />
		</TextPage>
	);
}

/** Name and address, as an envelope has them. */
export function OperatorAddress({ operator: { name, address } }: { readonly operator: Operator }) {
	return (
		<address>
			<strong>{name}</strong>
			{address.map((line) => (
				<span class="block">{line}</span>
			))}
		</address>
	);
}

function Ways({ contacts: { mail, url } }: { readonly contacts: Contacts }) {
	if (mail === null && url === null) return null;
	return (
		<ul>
			{mail !== null && (
				<li>
					By mail: <a href={`mailto:${mail}`}>{mail}</a>
				</li>
			)}
			{url !== null && url !== `mailto:${mail ?? ''}` && (
				<li>
					About credits and invoices: <a href={url}>{url.replace(/^(?:https:\/\/|mailto:)/, '')}</a>
				</li>
			)}
		</ul>
	);
}
