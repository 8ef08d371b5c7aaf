import type { Theme, View } from '../view.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

const CHOICES = [
	{ theme: 'light', name: 'Light', icon: 'sun' },
	{ theme: 'system', name: 'Same as system', icon: 'system' },
	{ theme: 'dark', name: 'Dark', icon: 'moon' },
] as const satisfies readonly { theme: Theme; name: string; icon: IconName }[];

/** Light, dark, or the system's theme. Kept in a cookie, so that the first paint already has it. */
export function ThemeSwitch({ view }: { readonly view: View }) {
	return (
		<form method="post" action="/theme" data-theme-form>
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
