import { count } from '../format.ts';

/** How far something is, in words and as a bar. */
export function Progress(props: {
	readonly done: number;
	readonly total: number;
	/** What is counted: "addresses". */
	readonly things: string;
	readonly label: string;
}) {
	const { done, total } = props;
	return (
		<div class="stack-small">
			<progress class="progress" value={done} max={Math.max(1, total)} aria-label={props.label} />
			<p class="spread quiet">
				<span>
					{count(done)} of {count(total)} {props.things}
				</span>
				<span>{total === 0 ? 100 : Math.floor((done / total) * 100)}%</span>
			</p>
		</div>
	);
}
