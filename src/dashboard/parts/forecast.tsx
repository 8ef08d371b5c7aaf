import type { Forecast } from '../../core/credits/forecast.ts';
import { count, plural } from '../format.ts';

const MONTH = 30;
const MONTHS_FROM = 60;
const YEARS_FROM = 730;

/** What the available credits last for, in a sentence, or why that can't be said. Reserved ones may come free again. */
export function LastsFor({
	available,
	forecast,
}: {
	readonly available: number;
	readonly forecast: Forecast;
}) {
	if (available <= 0) return null;
	switch (forecast.kind) {
		case 'unused':
			return <p class="quiet">No credits were used in the last 30 days.</p>;
		case 'too_fresh':
			return <p class="quiet">After a week of use, you will see here how long they last.</p>;
		case 'pace': {
			const { days, perDay, of } = forecast;
			return (
				<p>
					The available credits last <strong>{inDays(days)}</strong>{' '}
					<span class="quiet">
						at {perDay < 1 ? 'less than one' : `about ${count(Math.round(perDay))}`} a day, as in the last{' '}
						{of} days.
					</span>
				</p>
			);
		}
	}
}

/** `less than a day`, `about 12 days`, `about 3 months`, `more than two years`. */
function inDays(days: number): string {
	if (days < 1) return 'less than a day';
	if (days < MONTHS_FROM) return `about ${plural(days, 'day')}`;
	return days < YEARS_FROM ? `about ${plural(Math.floor(days / MONTH), 'month')}` : 'more than two years';
}
