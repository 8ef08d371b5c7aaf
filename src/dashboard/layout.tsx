import { ASSET_PATHS } from 'built:site';
import type { Child } from 'hono/jsx';
import { Button, ButtonLink, Icon, Mark, FlashNotice, Notice } from './parts/basic.tsx';
import { Form } from './parts/form.tsx';
import type { IconName } from './parts/basic.tsx';
import type { Theme, View } from './view.ts';

/** The entries of the dashboard's navigation, in order. */
const PLACES = [
	{ name: 'Home', href: '/dashboard', icon: 'overview' },
	{ name: 'Lists', href: '/dashboard/lists', icon: 'lists' },
	{ name: 'API keys', href: '/dashboard/keys', icon: 'keys' },
	{ name: 'Webhooks', href: '/dashboard/webhooks', icon: 'webhooks' },
	{ name: 'Credits', href: '/dashboard/credits', icon: 'credits' },
	{ name: 'Settings', href: '/dashboard/settings', icon: 'settings' },
] as const satisfies readonly { name: string; href: string; icon: IconName }[];

export type NavPlace = (typeof PLACES)[number]['name'];

interface DocumentProps {
	readonly view: View;
	readonly title: string;
	/** For search engines and link previews; public pages have one. */
	readonly description?: string;
	/** The path under which search engines keep the page. Without one they are asked not to. */
	readonly address?: string;
	readonly children: Child;
}

function Document(props: DocumentProps) {
	const { view } = props;
	return (
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>{`${props.title} – Mailsonar`}</title>
				{props.description !== undefined && <meta name="description" content={props.description} />}
				<Preview {...props} />
				<meta name="color-scheme" content={view.theme === 'system' ? 'light dark' : view.theme} />
				<link rel="icon" href="/favicon.ico" sizes="32x32" />
				<link rel="icon" href={ASSET_PATHS.icon} type="image/svg+xml" />
				<link rel="apple-touch-icon" href={ASSET_PATHS.touchIcon} />
				<link rel="stylesheet" href={ASSET_PATHS.style} />
				{/* Asked for beside the style sheet, which only later says that it is needed. */}
				<link rel="preload" href={ASSET_PATHS.sans} as="font" type="font/woff2" crossorigin="anonymous" />
				<script type="module" src={ASSET_PATHS.script} />
			</head>
			<body>
				<a class="skip" href="#main">
					Skip to content
				</a>
				{props.children}
			</body>
		</html>
	);
}

/** The data for search engines and link previews. Addresses begin with PUBLIC_URL, because any request can choose its Host. */
function Preview({ view, title, description, address }: DocumentProps) {
	if (address === undefined) return <meta name="robots" content="noindex" />;
	const { base } = view.site;
	const tags: Readonly<Record<string, string | undefined>> = {
		'og:site_name': 'Mailsonar',
		'og:type': 'website',
		'og:title': title,
		'og:description': description,
		...(base !== null && {
			'og:url': `${base}${address}`,
			'og:image': `${base}${ASSET_PATHS.preview}`,
			'og:image:width': '1200',
			'og:image:height': '630',
			'og:image:alt': 'Mailsonar: email verification that says how it knows',
		}),
	};
	return (
		<>
			{Object.entries(tags).map(
				([property, content]) => content !== undefined && <meta property={property} content={content} />,
			)}
			{base !== null && <link rel="canonical" href={`${base}${address}`} />}
			{base !== null && <meta name="twitter:card" content="summary_large_image" />}
		</>
	);
}

export interface PageProps extends Omit<DocumentProps, 'description' | 'address'> {
	/** Null for a page that the navigation does not name. */
	readonly place: NavPlace | null;
	/** One sentence below the title. */
	readonly lead?: Child;
	readonly action?: Child;
	/** The parent page. */
	readonly up?: { readonly name: string; readonly href: string };
}

/** A page of the dashboard: navigation on the left, a title, and one main action to its right. */
export function DashboardPage(props: PageProps) {
	return (
		<Document {...props}>
			<div class="frame">
				<header class="side">
					<div>
						<Brand href="/dashboard" />
						<nav aria-label="Main">
							<Places current={props.place} />
						</nav>
						<Foot view={props.view} />
					</div>
				</header>
				<TopBar view={props.view} place={props.place} />
				<main class="main stack-wide" id="main" tabindex={-1}>
					<div>
						{props.up !== undefined && (
							<nav class="crumb" aria-label="Breadcrumb">
								<a href={props.up.href} title={props.up.name}>
									{props.up.name}
								</a>
							</nav>
						)}
						<div class="spread page-head">
							<div>
								{/* Two lines hold it, or the rest is cut. */}
								<h1 title={props.title}>{props.title}</h1>
								{props.lead !== undefined && <p class="quiet">{props.lead}</p>}
							</div>
							{props.action}
						</div>
					</div>
					{props.view.viewer?.suspended === true && (
						<Notice kind="warning" title="This account is suspended">
							<p>
								Its API keys get a 401, and you can start nothing new. Ask the operator of this service for
								the reason.
							</p>
						</Notice>
					)}
					<FlashNotice flash={props.view.flash ?? null} />
					{props.children}
				</main>
			</div>
		</Document>
	);
}

/** The menu of a narrow window. */
function TopBar({ view, place }: { readonly view: View; readonly place: NavPlace | null }) {
	return (
		<header class="top">
			<details>
				<summary class="spread">
					<span class="row brand">{NAME}</span>
					<span class="row">
						Menu <Icon name="menu" />
					</span>
				</summary>
				<div class="menu">
					<nav aria-label="Menu">
						<Places current={place} />
					</nav>
					<Foot view={view} />
				</div>
			</details>
		</header>
	);
}

/** A public page: landing, documentation, sign-in. */
export function PublicPage(props: DocumentProps & { readonly current?: 'docs' }) {
	const isStranger = props.view.viewer === null;
	return (
		<Document {...props}>
			<header class="public-head">
				<div class="spread">
					<Brand href="/" />
					<nav aria-label="Main">
						<ul class="row">
							<li class="wide-head">
								<a href="/#how">How it knows</a>
							</li>
							<li class="wide-head">
								<a href="/#prices">Prices</a>
							</li>
							<li>
								<a href="/docs" aria-current={props.current === 'docs' ? 'page' : undefined}>
									Docs
								</a>
							</li>
							{isStranger && (
								<li>
									<a href="/dashboard/sign-in">Sign in</a>
								</li>
							)}
							<li>
								<ButtonLink kind="quiet" href={isStranger ? '/dashboard/sign-in' : '/dashboard'}>
									{isStranger ? 'Create account' : 'Dashboard'}
								</ButtonLink>
							</li>
						</ul>
					</nav>
				</div>
			</header>
			<main class="public-main" id="main" tabindex={-1}>
				{props.children}
			</main>
			<PublicFoot view={props.view} />
		</Document>
	);
}

/** A public page with one narrow form, such as the sign-in. */
export function NarrowPage(props: DocumentProps & { readonly lead?: Child }) {
	return (
		<PublicPage {...props}>
			<div class="narrow stack">
				<div class="stack-small">
					<h1>{props.title}</h1>
					{props.lead !== undefined && <p class="quiet">{props.lead}</p>}
				</div>
				<FlashNotice flash={props.view.flash ?? null} />
				{props.children}
			</div>
		</PublicPage>
	);
}

/** A section of a page with its heading. */
export function Section(props: {
	readonly title: string;
	readonly aside?: Child;
	readonly children: Child;
	readonly id?: string;
}) {
	const id = props.id ?? props.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
	return (
		<section aria-labelledby={id}>
			<div class="spread section-head">
				<h2 id={id}>{props.title}</h2>
				{props.aside}
			</div>
			{props.children}
		</section>
	);
}

const NAME = (
	<>
		<Mark />
		Mailsonar
	</>
);

function Brand({ href }: { readonly href: string }) {
	return (
		<a class="row brand" href={href}>
			{NAME}
		</a>
	);
}

function Places({ current }: { readonly current: NavPlace | null }) {
	return (
		<ul class="nav">
			{PLACES.map(({ name, href, icon }) => (
				<li>
					<a class="row" href={href} aria-current={name === current ? 'page' : undefined}>
						<Icon name={icon} />
						{name}
					</a>
				</li>
			))}
			<li class="nav-apart">
				<a class="row" href="/docs">
					<Icon name="docs" />
					Docs
				</a>
			</li>
		</ul>
	);
}

function Foot({ view }: { readonly view: View }) {
	return (
		<div class="side-foot">
			{view.viewer !== null && (
				<p class="who quiet small" title={[view.viewer.name, view.viewer.email].filter(Boolean).join(', ')}>
					{view.viewer.name ?? view.viewer.email}
				</p>
			)}
			<div class="spread">
				<ThemeSwitch view={view} />
				<Form view={view} action="/dashboard/sign-out" layout="plain">
					<Button kind="quiet" size="small">
						Sign out
					</Button>
				</Form>
			</div>
		</div>
	);
}

/** Words, and where they lead. */
type Links = Readonly<Record<string, string>>;

const PRODUCT: Links = {
	'Sample report': '/#report',
	'How it knows': '/#how',
	Prices: '/#prices',
	Status: '/status',
};

const DEVELOPERS: Links = {
	Quickstart: '/docs',
	'API reference': '/docs/reference',
	'SDK and command line': '/docs/guides/client',
	'Assistants (MCP)': '/docs/guides/mcp',
	Changelog: '/docs/changelog',
	OpenAPI: '/openapi.json',
};

/** The end of every public page. It links only pages that the configuration provides. */
function PublicFoot({ view }: { readonly view: View }) {
	const { hasOperator, hasContact, terms } = view.site;
	const company: Links = {
		'Security and privacy': '/security',
		...(terms !== null && { Terms: terms }),
		...(hasOperator && { Imprint: '/imprint' }),
		...(hasContact && { Contact: '/contact' }),
		'For mail operators': '/opt-out',
	};
	return (
		<footer class="public-foot">
			<div class="foot-places">
				<div>
					<span class="row brand">{NAME}</span>
					<p class="quiet">Verifies email addresses and says how it knows.</p>
				</div>
				<FootLinks title="Product" links={PRODUCT} />
				<FootLinks title="Developers" links={DEVELOPERS} />
				<FootLinks title="Company" links={company} />
			</div>
			<div class="spread foot-end">
				<p class="small">
					Did we ask your mail server? <a href="/opt-out">Who we are, and how to be left alone</a>
				</p>
				<ThemeSwitch view={view} />
			</div>
		</footer>
	);
}

function FootLinks({ title, links }: { readonly title: string; readonly links: Links }) {
	return (
		<nav aria-label={title}>
			<h2>{title}</h2>
			<ul>
				{Object.entries(links).map(([name, href]) => (
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
function ThemeSwitch({ view }: { readonly view: View }) {
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
