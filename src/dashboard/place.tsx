import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { PageApp, PageContext, View, Visit } from './view.ts';
import type { AnyForm, BoundForm, Form, Question, RefusedStatus, Typed, FieldErrors } from './form.tsx';
import { readForm } from './form.tsx';
import { ButtonLink, CodeBlock, Notice } from './parts/basic.tsx';
import { DashboardPage, hrefOf, NarrowPage, showPage, Viewed } from './layout.tsx';
import type { NavPlace, PageProps } from './layout.tsx';
import { leaveFlash, takeFlash, viewOf, visitOf } from './view.ts';

type Forms = Readonly<Record<string, AnyForm>>;
type ValuesOf<F> = F extends Form<infer V> ? { readonly [N in keyof V]?: V[N] | string } : never;

// As text: hono/jsx would move the element into the head, out of what only a browser without scripts reads.
const RELOADS = html`<noscript><meta http-equiv="refresh" content="10" /></noscript>`;

/** A refused form, with what was typed. */
export interface Refused {
	readonly form: string;
	readonly errors: FieldErrors;
	readonly typed: Typed;
}

/** The tools of a view, besides the data of its place. */
export interface Tools<F extends Forms> {
	readonly view: View;
	/** The path of the place, with the ids of this one. */
	readonly path: string;
	/** The form that was refused, which must be in sight. */
	readonly refused: Refused | null;
	/** The frame of the page, at its place in the navigation, to which a page below it leads up; a public page is narrow. */
	readonly Page: (props: PageProps) => Child;
	/** One of the place's forms, with stored values or texts, or with what was typed if it was refused. */
	readonly Form: <K extends keyof F & string>(props: {
		readonly of: K;
		readonly values?: ValuesOf<F[K]>;
		/** Other words on the button. */
		readonly button?: Child;
	}) => Child;
}

/** What is shown of a form besides its fields. */
interface Shown extends Pick<BoundForm, 'asks' | 'button'> {
	readonly values?: Readonly<Record<string, unknown>>;
}

/** The data of a place, whose reading may also lead elsewhere. */
type Data<D> = Exclude<D, Response>;

/** A part of the page that a script renews, from `/live` below it. */
interface LivePart<D, F extends Forms> {
	/** Reads what moves, where that is less than the page shows. */
	readonly load?: (asked: Visit) => Promise<D>;
	/** Something is due soon, so that looking again makes sense. */
	readonly isMoving: (data: Data<D>, now: number) => boolean;
	/** For screen readers, when it has changed. */
	readonly says: (data: Data<D>) => string | undefined;
	/** The title of the tab meanwhile. */
	readonly title?: (data: Data<D>) => string | undefined;
	/** When it has ended, the whole page is another. */
	readonly reloads?: boolean;
	readonly view: (data: Data<D>, tools: Tools<F>) => Child;
}

interface PlaceSpec<D, F extends Forms> {
	/** Where it stands in the navigation; left out: it is a public page. */
	readonly nav?: NavPlace;
	/** Reads what the page shows. Throws a `ServiceError` for what is not there. */
	readonly load: (asked: Visit) => Promise<D> | D;
	readonly view: (
		data: Data<D>,
		tools: Tools<F> & { readonly Live: (props: { readonly of: Data<D> }) => Child },
	) => Child;
	readonly live?: LivePart<D, F>;
	readonly forms?: F;
	/** Files below it, by the end of their path. */
	readonly files?: Readonly<Record<string, (asked: Visit) => Response | Promise<Response>>>;
}

/**
 * A page: what it reads, how it looks and what its forms do. Everything that pages have in common is here, everything that
 * forms have in `form`.
 */
export class Place<D, F extends Forms = Forms> {
	readonly #pattern: string;
	readonly #spec: PlaceSpec<D, F>;

	constructor(pattern: string, spec: PlaceSpec<D, F>) {
		this.#pattern = pattern;
		this.#spec = spec;
	}

	/** Serves the page, its forms, its questions and the part of it that moves. */
	addTo(app: PageApp): void {
		const pattern = this.#pattern;
		for (const [name, form] of Object.entries(this.#spec.forms ?? {})) {
			const at = this.#actionOf(pattern, name);
			app.post(at, async (c) => this.#take(c, name, form));
			if (form.asks !== undefined)
				app.get(at, async (c) => this.show(visitOf(c), { form: name, errors: {}, typed: {} }));
			// A browser that loads the page of a refused form again sees its place.
			else if (at !== pattern) app.get(at, async (c) => this.show(visitOf(c)));
		}
		const { live } = this.#spec;
		if (live !== undefined)
			app.get(`${pattern}/live`, async (c) => {
				const visit = visitOf(c);
				const data = await (live.load ?? this.#spec.load)(visit);
				if (data instanceof Response) return data;
				const tools = this.#toolsOf(viewOf(c), this.#pathOf(visit));
				return c.html(html`${<Viewed view={tools.view}>{this.#live(data as Data<D>, tools)}</Viewed>}`);
			});
		for (const [end, file] of Object.entries(this.#spec.files ?? {}))
			app.get(`${pattern}${end}`, (c) => file(visitOf(c)));
		app.get(pattern, async (c) => this.show(visitOf(c)));
	}

	/** Answers with the page, or with the question of a form. */
	async show(visit: Visit, refused?: Refused, status: 200 | RefusedStatus = 200): Promise<Response> {
		const asks = refused === undefined ? undefined : this.#spec.forms?.[refused.form]?.asks;
		if (refused !== undefined && asks !== undefined) {
			const question = await asks(visit);
			if (question instanceof Response) return question;
			const view = viewWith(visit.c, refused);
			const page = this.ask(view, refused.form, question, refused, this.#pathOf(visit));
			return showPage(visit.c, page, status, view);
		}
		const data = await this.#spec.load(visit);
		return data instanceof Response ? data : this.answer(visit, data as Data<D>, refused, status);
	}

	/** Answers with the page of these data. */
	async answer(visit: Visit, data: Data<D>, refused?: Refused, status: 200 | RefusedStatus = 200) {
		const view = viewWith(visit.c, refused);
		return showPage(visit.c, this.draw(view, data, refused, this.#pathOf(visit)), status, view);
	}

	async #take(c: PageContext, name: string, form: AnyForm): Promise<Response> {
		const typed = await readForm(c);
		const visit = visitOf(c);
		const outcome = await form.take(visit, typed);
		if (outcome instanceof Response) return outcome;
		if (outcome !== undefined) {
			const refused = { form: name, errors: outcome.errors, typed: { ...typed, ...outcome.typed } };
			return this.show(visit, refused, outcome.status ?? 422);
		}
		if (form.says !== undefined)
			leaveFlash(c, { kind: form.isPending === true ? 'info' : 'done', text: form.says });
		return c.redirect(form.to ?? this.#pathOf(visit), 303);
	}

	/** The page; without a request it stands at its pattern. */
	draw(view: View, data: Data<D>, refused?: Refused, path = this.#pattern): Child {
		const tools = this.#toolsOf(view, path, refused);
		const Live = ({ of }: { readonly of: Data<D> }) => (
			<>
				{this.#live(of, tools)}
				<p id="live-says" class="unseen" role="status" />
			</>
		);
		return <Viewed view={view}>{this.#spec.view(data, { ...tools, Live })}</Viewed>;
	}

	#live(data: Data<D>, tools: Tools<F>): Child {
		const { live } = this.#spec;
		if (live === undefined) return null;
		const { now, path } = tools.view;
		const isMoving = live.isMoving(data, now);
		return (
			<div
				data-live={`${tools.path}/live${/\?.*/.exec(path)?.[0] ?? ''}`}
				data-reload={live.reloads === true ? '' : undefined}
				data-done={isMoving ? undefined : ''}
				data-says={live.says(data)}
				data-title={live.title?.(data)}
			>
				{live.view(data, tools)}
				{isMoving && RELOADS}
			</div>
		);
	}

	/** The page of a question. */
	ask(view: View, name: string, question: Question, refused?: Refused, path = this.#pattern) {
		const { Page } = this.#toolsOf(view, path);
		return (
			<Viewed view={view}>
				<Page title={question.title} up={null}>
					<div class="form-narrow">
						{this.#form(path, name, refused, { asks: { ...question, cancel: path } })}
					</div>
				</Page>
			</Viewed>
		);
	}

	#toolsOf(view: View, path: string, refused: Refused | null = null): Tools<F> {
		const { nav } = this.#spec;
		const Page: Tools<F>['Page'] = (props) => {
			if (nav === undefined) return <NarrowPage {...props} />;
			return <DashboardPage place={nav} up={hrefOf(nav) === this.#pattern ? null : nav} {...props} />;
		};
		const Form: Tools<F>['Form'] = ({ of, ...more }) => this.#form(path, of, refused, more);
		return { view, path, refused, Page, Form };
	}

	#form(path: string, name: string, refused: Refused | null = null, { values = {}, ...more }: Shown = {}) {
		const form = this.#spec.forms?.[name];
		const hash = form?.hash === undefined ? '' : `#${form.hash}`;
		const { typed, errors } =
			refused?.form === name ? refused : { typed: form?.fill(values) ?? {}, errors: {} };
		return form?.draw({ action: `${this.#actionOf(path, name)}${hash}`, name, typed, errors, ...more });
	}

	#actionOf(path: string, form: string): string {
		const at = this.#spec.forms?.[form]?.at ?? form;
		return at === '' ? path : `${path.replace(/\/$/, '')}/${at}`;
	}

	#pathOf({ param }: Visit): string {
		return this.#pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(param(name)));
	}
}

/** The view with the message that the page before left, or with the fault of a form that is at no field. */
function viewWith(c: PageContext, refused?: Refused): View {
	const fault = refused?.errors[''];
	const flash = fault === undefined ? takeFlash(c) : ({ kind: 'failed', text: fault } as const);
	return { ...viewOf(c), flash };
}

/** The only page that ever shows a key or a secret. It answers the form itself: for a redirect it would have to be stored. */
export function SecretPage(props: {
	readonly place: NavPlace;
	readonly title: string;
	/** Where to go on. */
	readonly next: string;
	/** Its id on the page, the secret, and its name for screen readers. */
	readonly secret: { readonly id: string; readonly code: string; readonly what: string };
	/** Its use, and the remedy if it is lost. */
	readonly words: string;
	readonly children: Child;
}) {
	const { place, title, next, secret } = props;
	return (
		<DashboardPage
			place={place}
			title={title}
			up={place}
			action={<ButtonLink href={next}>I have stored it</ButtonLink>}
		>
			<Notice kind="warning" title="This is the only time you see it">
				{props.words}
			</Notice>
			<CodeBlock {...secret} wrap />
			{props.children}
		</DashboardPage>
	);
}
