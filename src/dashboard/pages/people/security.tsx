import { PASSWORD_MIN } from '../../../core/identity/passwords.ts';
import { list } from '../../format.ts';
import { TextPage } from '../../parts/text-page.tsx';
import type { View } from '../../view.ts';
import { OperatorAddress } from '../public/legal.tsx';
import type { Operator } from '../public/legal.tsx';

interface SecurityProps {
	readonly view: View;
	/** How long results are kept, in words. */
	readonly kept: string;
	/** The host names of the DNS resolvers that are asked. */
	readonly resolvers: readonly string[];
	/** Cloudflare Turnstile may be asked whether a person signs in. */
	readonly checksPeople: boolean;
	/** Credits are paid by Stripe. */
	readonly takesPayments: boolean;
	/** Accounts, the database and files are kept there, in words; null: wherever Cloudflare keeps them. */
	readonly keptIn: string | null;
	readonly operator: Operator | null;
}

/** The page about stored data, who sees it, and the safety of accounts. */
export function SecurityPage(props: SecurityProps) {
	const { view, kept, operator } = props;
	return (
		<TextPage
			view={view}
			title="Security and privacy"
			description="How we use, share and keep the addresses you verify, and how we protect keys and passwords."
			address="/security"
			lead="How we use, share and keep the addresses you verify, and how we protect your account. This describes what the software does."
		>
			<WhatIsKept kept={kept} />
			<WhoSeesWhat {...props} />
			<h2>What we never do with an address</h2>
			<ul>
				<li>Send it a message: the conversation ends before DATA.</li>
				<li>Try to sign in, reset a password, or ask other services whether it has an account.</li>
				<li>Look it up in leaked data or social networks.</li>
			</ul>
			<YourAccount />
			<h2>These pages</h2>
			<p>
				No analytics, no advertising, nothing from other sites: the pages’ policy forbids the browser to load
				it
				{props.checksPeople ? ', but for the check on the sign-in page' : ''}. Cookies keep you signed in,
				protect forms, and remember light or dark.
			</p>
			{operator !== null && (
				<>
					<h2>Who is responsible</h2>
					<OperatorAddress operator={operator} />
					<p>Ask us what we hold about you, to correct it, or to delete it.</p>
				</>
			)}
			{view.site.hasContact && (
				<p>
					Found a vulnerability? <a href="/contact">Tell us</a>, please before you tell others.
				</p>
			)}
		</TextPage>
	);
}

function WhatIsKept({ kept }: Pick<SecurityProps, 'kept'>) {
	return (
		<>
			<h2>What is kept, and for how long</h2>
			<table>
				<thead>
					<tr>
						<th scope="col">What</th>
						<th scope="col">Kept</th>
					</tr>
				</thead>
				<tbody>
					<Kept what="Lists and their results" how={`For ${kept} after the job ends, then deleted`} />
					<Kept what="Files that nobody starts" how="Until you cancel, for 24 hours at most" />
					<Kept what="The ledger of credits" how="Counts, times and names of lists; no addresses" />
					<Kept
						what="Deliveries and bounces you report"
						how="As a keyed hash in your account, never as the address; no other account sees it"
					/>
					<Kept
						what="Facts about a domain"
						how="For a while, without addresses: mail servers, age, policies"
					/>
					<Kept what="Your own address, and your password" how="Until you delete the account" />
				</tbody>
			</table>
			<p>Deleted data leaves the service at once. The database’s restore points keep it for up to 30 days.</p>
		</>
	);
}

function WhoSeesWhat({ resolvers, checksPeople, takesPayments, keptIn }: SecurityProps) {
	return (
		<>
			<h2>Who sees what</h2>
			<table>
				<thead>
					<tr>
						<th scope="col">Who</th>
						<th scope="col">Sees</th>
					</tr>
				</thead>
				<tbody>
					<Kept what="The mail server of the domain" how="The address you ask about" />
					<Kept what={`DNS resolvers (${list(resolvers)})`} how="The domain, never the mailbox" />
					<Kept what="Domain registries" how="The domain, for catch-all scores" />
					<Kept
						what="Cloudflare"
						how={`Hosts the service, its database and its files${keptIn === null ? '' : `, kept ${keptIn}`}`}
					/>
					{checksPeople && (
						<Kept
							what="Cloudflare Turnstile"
							how="Sign-ins after failed attempts, to tell people from programs"
						/>
					)}
					{takesPayments && (
						<Kept what="Stripe" how="Your payment, on a page of its own; we never see a card" />
					)}
				</tbody>
			</table>
			<p>
				We don’t sell or pool addresses, or use them to answer anybody else. Our logs hold times, ids and
				errors; our queues carry ids, no addresses.
			</p>
		</>
	);
}

function YourAccount() {
	return (
		<>
			<h2>Your account</h2>
			<ul>
				<li>
					We show an API key once and keep only a hash. A revoked key fails on its next call. You can limit a
					key to some calls, and let it expire.
				</li>
				<li>
					Passwords have at least {PASSWORD_MIN} characters and are stored with scrypt. We slow down guessing
					for each address and each network, without locking you out of a browser you have used before.
				</li>
				<li>A second factor at sign-in, by an authenticator app, with recovery codes.</li>
				<li>Our forms never reveal whether an address has an account.</li>
				<li>Your account lists its events for a year, without IP addresses.</li>
				<li>We sign webhooks (Standard Webhooks), and send them to public https addresses only.</li>
			</ul>
		</>
	);
}

function Kept({ what, how }: { readonly what: string; readonly how: string }) {
	return (
		<tr>
			<th scope="row">{what}</th>
			<td>{how}</td>
		</tr>
	);
}
