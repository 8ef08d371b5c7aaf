import type { Child } from 'hono/jsx';
import type { Island } from './assets/texts.js';
import { Button, ButtonLink } from './parts/button.tsx';
import { Form } from './parts/form.tsx';
import { Icon, Mark } from './parts/icon.tsx';
import type { IconName } from './parts/icon.tsx';
import { FlashNotice, Notice } from './parts/notice.tsx';
import { PublicFoot, ThemeSwitch } from './parts/public-foot.tsx';
import type { View } from './view.ts';

/** The entries of the dashboard's navigation, in order. */
export const PLACES = [
	{ name: 'Home', href: '/dashboard', icon: 'overview' },
	{ name: 'Lists', href: '/dashboard/lists', icon: 'lists' },
	{ name: 'API keys', href: '/dashboard/keys', icon: 'keys' },
	{ name: 'Webhooks', href: '/dashboard/webhooks', icon: 'webhooks' },
	{ name: 'Credits', href: '/dashboard/credits', icon: 'credits' },
	{ name: 'Settings', href: '/dashboard/settings', icon: 'settings' },
] as const satisfies readonly { name: string; href: string; icon: IconName }[];

export type Place = (typeof PLACES)[number]['name'];

interface DocumentProps {
	readonly view: View;
	readonly title: string;
	/** For search engines and link previews; public pages have one. */
	readonly description?: string;
	/** The path under which search engines keep the page. Without one they are asked not to. */
	readonly address?: string;
	readonly islands?: readonly Island[];
	/** Seconds after which the page reloads without scripts. */
	readonly refreshSeconds?: number | undefined;
	readonly children: Child;
}

function Document(props: DocumentProps) {
	const { view } = props;
	const islands = new Set<Island>(['typed', ...(props.islands ?? [])]);
	return (
		<html lang="en" data-theme={view.theme === 'system' ? undefined : view.theme}>
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>{`${props.title} – Mailsonar`}</title>
				{props.description !== undefined && <meta name="description" content={props.description} />}
				<Preview {...props} />
				<meta name="color-scheme" content="light dark" />
				<link rel="icon" href="/favicon.ico" sizes="32x32" />
				<link rel="icon" href={view.assets.icon} type="image/svg+xml" />
				<link rel="apple-touch-icon" href={view.assets.touchIcon} />
				<link rel="stylesheet" href={view.assets.style} />
				{/* Asked for beside the style sheet, which only later says that it is needed. */}
				<link rel="preload" href={view.assets.sans} as="font" type="font/woff2" crossorigin="anonymous" />
				{[...islands].map((island) => (
					<script type="module" src={view.assets.islands[island]} />
				))}
				{props.refreshSeconds !== undefined && (
					<noscript>
						<meta http-equiv="refresh" content={String(props.refreshSeconds)} />
					</noscript>
				)}
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
	return (
		<>
			<meta property="og:site_name" content="Mailsonar" />
			<meta property="og:type" content="website" />
			<meta property="og:title" content={title} />
			{description !== undefined && <meta property="og:description" content={description} />}
			{base !== null && (
				<>
					<link rel="canonical" href={`${base}${address}`} />
					<meta property="og:url" content={`${base}${address}`} />
					<meta property="og:image" content={`${base}${view.assets.preview}`} />
					<meta property="og:image:width" content="1200" />
					<meta property="og:image:height" content="630" />
					<meta property="og:image:alt" content="Mailsonar: email verification that says how it knows" />
					<meta name="twitter:card" content="summary_large_image" />
				</>
			)}
		</>
	);
}

// More letters than two lines hold at any width: the rest is cut.
const LONG_TITLE = 40;

/** A page of the dashboard: navigation on the left, a title, and one main action to its right. */
export function DashboardPage(
	props: Omit<DocumentProps, 'description' | 'address'> & {
		/** Null for a page that the navigation does not name. */
		readonly place: Place | null;
		/** One sentence below the title. */
		readonly lead?: Child;
		readonly action?: Child;
		/** The parent page. */
		readonly up?: { readonly name: string; readonly href: string };
	},
) {
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
				<main class="main" id="main" tabindex={-1}>
					<div>
						{props.up !== undefined && (
							<nav class="crumb" aria-label="Breadcrumb">
								<a href={props.up.href} title={props.up.name}>
									{props.up.name}
								</a>
							</nav>
						)}
						<div class="page-head">
							<div>
								<h1 title={props.title.length > LONG_TITLE ? props.title : undefined}>{props.title}</h1>
								{props.lead !== undefined && <p>{props.lead}</p>}
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
function TopBar({ view, place }: { readonly view: View; readonly place: Place | null }) {
	return (
		<header class="top">
			<details>
				<summary>
					<span class="brand">
						<Mark />
						Mailsonar
					</span>
					<span class="menu-word">
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
	return (
		<Document {...props}>
			<header class="public-head">
				<div>
					<Brand href="/" />
					<nav aria-label="Main">
						<ul>
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
							{props.view.viewer === null ? (
								<>
									<li>
										<a href="/dashboard/sign-in">Sign in</a>
									</li>
									<li>
										<ButtonLink kind="quiet" href="/dashboard/sign-in">
											Create account
										</ButtonLink>
									</li>
								</>
							) : (
								<li>
									<ButtonLink kind="quiet" href="/dashboard">
										Dashboard
									</ButtonLink>
								</li>
							)}
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
			<div class="narrow">
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
			<div class="section-head">
				<h2 id={id}>{props.title}</h2>
				{props.aside}
			</div>
			{props.children}
		</section>
	);
}

function Brand({ href }: { readonly href: string }) {
	return (
		<a class="brand" href={href}>
			<Mark />
			Mailsonar
		</a>
	);
}

function Places({ current }: { readonly current: Place | null }) {
	return (
		<ul class="nav">
			{PLACES.map(({ name, href, icon }) => (
				<li>
					<a href={href} aria-current={name === current ? 'page' : undefined}>
						<Icon name={icon} />
						{name}
					</a>
				</li>
			))}
			<li class="nav-apart">
				<a href="/docs">
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
