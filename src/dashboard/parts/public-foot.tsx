import type { Theme, View } from '../view.ts';
import { Icon, Mark } from './icon.tsx';
import type { IconName } from './icon.tsx';

interface Place {
	readonly name: string;
	readonly href: string;
}

const PRODUCT: readonly Place[] = [
	{ name: 'Sample report', href: '/#report' },
	{ name: 'How it knows', href: '/#how' },
	{ name: 'Prices', href: '/#prices' },
	{ name: 'Status', href: '/status' },
];

const DEVELOPERS: readonly Place[] = [
	{ name: 'Quickstart', href: '/docs' },
	{ name: 'API reference', href: '/docs/reference' },
	{ name: 'SDK and command line', href: '/docs/guides/client' },
	{ name: 'Assistants (MCP)', href: '/docs/guides/mcp' },
	{ name: 'Changelog', href: '/docs/changelog' },
	{ name: 'OpenAPI', href: '/openapi.json' },
];

/** The end of every public page. It links only pages that the configuration provides. */
export function PublicFoot({ view }: { readonly view: View }) {
	const { hasOperator, hasContact, terms } = view.site;
	const company: readonly Place[] = [
		{ name: 'Security and privacy', href: '/security' },
		...(terms === null ? [] : [{ name: 'Terms', href: terms }]),
		...(hasOperator ? [{ name: 'Imprint', href: '/imprint' }] : []),
		...(hasContact ? [{ name: 'Contact', href: '/contact' }] : []),
		{ name: 'For mail operators', href: '/opt-out' },
	];
	return (
		<footer class="public-foot">
			<div class="foot-places">
				<div class="foot-brand">
					<p class="brand">
						<Mark />
						Mailsonar
					</p>
					<p class="quiet">Verifies email addresses and says how it knows.</p>
				</div>
				<Places title="Product" places={PRODUCT} />
				<Places title="Developers" places={DEVELOPERS} />
				<Places title="Company" places={company} />
			</div>
			<div class="foot-end">
				<p class="small">
					Did we ask your mail server? <a href="/opt-out">Who we are, and how to be left alone</a>
				</p>
				<ThemeSwitch view={view} />
			</div>
		</footer>
	);
}

function Places({ title, places }: { readonly title: string; readonly places: readonly Place[] }) {
	return (
		<nav aria-label={title}>
			<h2>{title}</h2>
			<ul>
				{places.map(({ name, href }) => (
					<li>
						<a href={href}>{name}</a>
					</li>
				))}
			</ul>
		</nav>
	);
}

const CHOICES = [
	{ theme: 'light', name: 'Light', icon: 'sun' },
	{ theme: 'system', name: 'Same as system', icon: 'system' },
	{ theme: 'dark', name: 'Dark', icon: 'moon' },
] as const satisfies readonly { theme: Theme; name: string; icon: IconName }[];

/** Light, dark, or the system's theme. Kept in a cookie, so that the first paint already has it. */
export function ThemeSwitch({ view }: { readonly view: View }) {
	return (
		<form method="post" action="/theme">
			<input type="hidden" name="back" value={view.path} />
			<div class="theme" role="group" aria-label="Colours">
				{CHOICES.map(({ theme, name, icon }) => (
					<button
						type="submit"
						name="theme"
						value={theme}
						title={name}
						aria-label={name}
						aria-pressed={theme === view.theme ? 'true' : 'false'}
					>
						<Icon name={icon} />
					</button>
				))}
			</div>
		</form>
	);
}
