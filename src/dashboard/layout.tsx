import { ASSET_PATHS } from 'built:site';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { Button, QuietLink, Icon, Mark, FlashNotice, Notice } from './parts/basic.tsx';
import { Form } from './parts/form.tsx';
import type { IconName } from './parts/basic.tsx';
import { useView, ViewContext, viewOf } from './view.ts';
import type { PageContext, Theme, View } from './view.ts';

/** The entries of the dashboard's navigation, in order. */
const PLACES = {
	Home: ['/dashboard', 'overview'],
	Lists: ['/dashboard/lists', 'lists'],
	API: ['/dashboard/api', 'keys'],
	Credits: ['/dashboard/credits', 'credits'],
	Settings: ['/dashboard/settings', 'settings'],
} as const satisfies Readonly<Record<string, readonly [href: string, icon: IconName]>>;

export type NavPlace = keyof typeof PLACES;

/** Where an entry of the navigation leads. */
export function hrefOf(place: NavPlace): string {
	return PLACES[place][0];
}

/** A page, or a part of one, with the view in which it is drawn. */
export function Viewed({ view, children }: { readonly view: View; readonly children: Child }) {
	return <ViewContext.Provider value={view}>{children}</ViewContext.Provider>;
}

/** Answers with a whole document. */
export async function showPage(
	c: PageContext,
	page: Child,
	status: ContentfulStatusCode = 200,
	view: View = viewOf(c),
): Promise<Response> {
	return c.html(html`<!doctype html>${<Viewed view={view}>{page}</Viewed>}`, status);
}

interface DocumentProps {
	readonly title: string;
	/** For search engines and link previews; public pages have one. */
	readonly description?: string;
	/** The path under which search engines keep the page. Without one they are asked not to. */
	readonly address?: string;
	readonly children: Child;
}

function Document(props: DocumentProps) {
	const { theme } = useView();
	return (
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>{`${props.title} – Mailsonar`}</title>
				{props.description !== undefined && <meta name="description" content={props.description} />}
				<Preview {...props} />
				<meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
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
function Preview({ title, description, address }: DocumentProps) {
	const { base } = useView().site;
	if (address === undefined) return <meta name="robots" content="noindex" />;
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
	/** One sentence below the title. */
	readonly lead?: Child;
	readonly action?: Child;
	/** The parent page: an entry of the navigation, or another one. */
	readonly up?: NavPlace | { readonly name: string; readonly href: string } | null;
}

/** A page of the dashboard: navigation on the left, a title, and one main action to its right. */
export function DashboardPage({ place, up = null, ...props }: PageProps & { readonly place: NavPlace }) {
	const { viewer } = useView();
	const parent = typeof up === 'string' ? { name: up, href: hrefOf(up) } : up;
	return (
		<Document {...props}>
			<div class="frame">
				<header class="side">
					<div>
						<a class="row brand" href="/dashboard">
							{NAME}
						</a>
						<Places label="Main" current={place} />
					</div>
				</header>
				{/* The menu of a narrow window. */}
				<header class="top">
					<details>
						<summary class="spread">
							<span class="row brand">{NAME}</span>
							<span class="row">
								Menu <Icon name="menu" />
							</span>
						</summary>
						<div class="menu">
							<Places label="Menu" current={place} />
						</div>
					</details>
				</header>
				<main class="main stack-wide" id="main" tabindex={-1}>
					<div>
						{parent !== null && (
							<nav class="crumb" aria-label="Breadcrumb">
								<a href={parent.href} title={parent.name}>
									{parent.name}
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
					{viewer?.suspended === true && (
						<Notice kind="warning" title="This account is suspended">
							Its API keys get a 401, and you can start nothing new. Ask the operator of this service for the
							reason.
						</Notice>
					)}
					<FlashNotice />
					{props.children}
				</main>
			</div>
		</Document>
	);
}

/** The navigation, and below it the person. */
function Places({ label, current }: { readonly label: string; readonly current: NavPlace }) {
	const { viewer } = useView();
	return (
		<>
			<nav aria-label={label}>
				<ul class="nav">
					{Object.entries(PLACES).map(([name, [href, icon]]) => (
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
			</nav>
			<div class="side-foot">
				{viewer !== null && (
					<p class="who quiet small" title={[viewer.name, viewer.email].filter(Boolean).join(', ')}>
						{viewer.name ?? viewer.email}
					</p>
				)}
				<div class="spread">
					<ThemeSwitch />
					<Form action="/dashboard/sign-out" layout="plain">
						<Button kind="quiet" size="small">
							Sign out
						</Button>
					</Form>
				</div>
			</div>
		</>
	);
}

/** A public page: landing, documentation, sign-in. */
export function PublicPage(props: DocumentProps) {
	const isStranger = useView().viewer === null;
	const links = [
		['How it knows', '/#how'],
		['Prices', '/#prices'],
		['Docs', '/docs'],
		...(isStranger ? [['Sign in', '/dashboard/sign-in'] as const] : []),
	] as const;
	return (
		<Document {...props}>
			<header class="public-head">
				<div class="spread">
					<a class="row brand" href="/">
						{NAME}
					</a>
					<nav aria-label="Main">
						<ul class="row">
							{links.map(([name, href]) => (
								<li class={href.startsWith('/#') ? 'wide-head' : undefined}>
									<a href={href} aria-current={props.address?.startsWith(href) === true ? 'page' : undefined}>
										{name}
									</a>
								</li>
							))}
							<li>
								<QuietLink href={isStranger ? '/dashboard/sign-in' : '/dashboard'}>
									{isStranger ? 'Create account' : 'Dashboard'}
								</QuietLink>
							</li>
						</ul>
					</nav>
				</div>
			</header>
			<main class="public-main" id="main" tabindex={-1}>
				{props.children}
			</main>
			<PublicFoot />
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
				<FlashNotice />
				{props.children}
			</div>
		</PublicPage>
	);
}

/** A section of a page with its heading. */
export function Section(props: {
	readonly title: string;
	/** At its right: a quiet word, or what can be done. */
	readonly aside?: Child;
	readonly children: Child;
	readonly id?: string;
}) {
	const id = props.id ?? props.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
	return (
		<section aria-labelledby={id}>
			<div class="spread section-head">
				<h2 id={id}>{props.title}</h2>
				{typeof props.aside === 'string' ? <span class="quiet">{props.aside}</span> : props.aside}
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

/** The end of every public page. It links only pages that the configuration provides. */
function PublicFoot() {
	const { hasOperator, hasContact, terms } = useView().site;
	const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
		Product: {
			'Sample report': '/#report',
			'How it knows': '/#how',
			Prices: '/#prices',
			Status: '/status',
		},
		Developers: {
			Quickstart: '/docs',
			'API reference': '/docs/reference',
			'SDK and command line': '/docs/guides/client',
			'Assistants (MCP)': '/docs/guides/mcp',
			Changelog: '/docs/changelog',
			OpenAPI: '/openapi.json',
		},
		Company: {
			'Security and privacy': '/security',
			...(terms !== null && { Terms: terms }),
			...(hasOperator && { Imprint: '/imprint' }),
			...(hasContact && { Contact: '/contact' }),
			'For mail operators': '/opt-out',
		},
	};
	return (
		<footer class="public-foot">
			<div class="foot-places">
				<div>
					<span class="row brand">{NAME}</span>
					<p class="quiet">Verifies email addresses and says how it knows.</p>
				</div>
				{Object.entries(groups).map(([title, links]) => (
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
				))}
			</div>
			<div class="spread foot-end">
				<p class="small">
					Did we ask your mail server? <a href="/opt-out">Who we are, and how to be left alone</a>
				</p>
				<ThemeSwitch />
			</div>
		</footer>
	);
}

const CHOICES = [
	['light', 'Light', 'sun'],
	['system', 'Same as system', 'system'],
	['dark', 'Dark', 'moon'],
] as const satisfies readonly (readonly [Theme, string, IconName])[];

/** Light, dark, or the system's theme. Kept in a cookie, so that the first paint already has it. */
function ThemeSwitch() {
	const { path, theme: current } = useView();
	return (
		<form method="post" action="/theme">
			<input type="hidden" name="back" value={path} />
			<div class="theme" role="group" aria-label="Colours">
				{CHOICES.map(([theme, name, icon]) => (
					<button
						type="submit"
						name="theme"
						value={theme}
						title={name}
						aria-label={name}
						aria-pressed={theme === current ? 'true' : 'false'}
					>
						<Icon name={icon} />
					</button>
				))}
			</div>
		</form>
	);
}
