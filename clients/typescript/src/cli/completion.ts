import { COMMANDS, COMMON } from './commands.ts';
import type { CommandName, CommandWords, Option, SHELLS } from './commands.ts';

type Words = readonly string[] | 'file';

const NAMES = Object.keys(COMMANDS) as readonly CommandName[];

/** The completion for a shell, made from the table of commands. */
export function completion(shell: (typeof SHELLS)[number]): string {
	return { bash, zsh, fish }[shell]();
}

function optionsOf(name: CommandName): readonly (readonly [string, Option])[] {
	const { options }: CommandWords = COMMANDS[name];
	return Object.entries({ ...options, ...COMMON });
}

function argumentOf(name: CommandName): Words {
	const { words }: CommandWords = COMMANDS[name];
	return words ?? [];
}

/** All options of all commands that are followed by one of some words. */
function valued(): readonly (readonly [string, Words])[] {
	const found = new Map<string, Words>();
	for (const [name, option] of NAMES.flatMap(optionsOf))
		if (option.flag.type === 'string')
			found.set(name, [...wordsOf(found.get(name)), ...wordsOf(option.words)]);
	for (const [name, { words }] of NAMES.flatMap(optionsOf)) if (words === 'file') found.set(name, 'file');
	return [...found];
}

function wordsOf(words: Words | undefined): readonly string[] {
	return words === undefined || words === 'file' ? [] : words;
}

function bash(): string {
	const shorts = new Map(NAMES.flatMap(optionsOf).map(([name, option]) => [name, bashFlag(name, option)]));
	return [
		'_mailsonar() {',
		'  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}',
		`  if [ "$COMP_CWORD" -eq 1 ]; then ${bashReply(NAMES)}; return; fi`,
		'  case $before in',
		...valued().map(([name, words]) => `    ${shorts.get(name) ?? name}) ${bashReply(words)}; return ;;`),
		'  esac',
		'  case ${COMP_WORDS[1]} in',
		...NAMES.map((name) => {
			const options = optionsOf(name).map(([option]) => `--${option}`);
			return `    ${name}) if [[ $word == -* ]]; then ${bashReply(options)}; else ${bashReply(argumentOf(name))}; fi ;;`;
		}),
		'  esac',
		'}',
		'complete -o filenames -F _mailsonar mailsonar',
		'',
	].join('\n');
}

function zsh(): string {
	return [
		'#compdef mailsonar',
		'_mailsonar() {',
		'  if (( CURRENT == 2 )); then',
		'    local -a commands=(',
		...NAMES.map((name) => `      '${name}:${said(COMMANDS[name].says)}'`),
		'    )',
		"    _describe 'command' commands",
		'    return',
		'  fi',
		'  local command=$words[2]',
		'  shift words; (( CURRENT-- ))',
		'  case $command in',
		...NAMES.map(
			(name) =>
				`    ${name}) _arguments ${optionsOf(name).map(zshOption).join(' ')} ${zshArgument(argumentOf(name))} ;;`,
		),
		'  esac',
		'}',
		'compdef _mailsonar mailsonar',
		'',
	].join('\n');
}

function fish(): string {
	const lines = NAMES.flatMap((name) => [
		`complete -c mailsonar -f -n __fish_use_subcommand -a ${name} -d '${said(COMMANDS[name].says)}'`,
		...optionsOf(name).map(([option, { flag, says, words }]) => {
			const short = flag.short === undefined ? '' : ` -s ${flag.short}`;
			const list = wordsOf(words);
			const value =
				flag.type === 'boolean'
					? ''
					: words === 'file'
						? ' -rF'
						: list.length > 0
							? ` -xa '${list.join(' ')}'`
							: ' -x';
			return `complete -c mailsonar ${fishAfter(name)} -l ${option}${short}${value} -d '${said(says)}'`;
		}),
		...argumentLines(name, fishAfter(name)),
	]);
	return `${lines.join('\n')}\n`;
}

function argumentLines(name: CommandName, condition: string): readonly string[] {
	const words = argumentOf(name);
	if (words === 'file') return [`complete -c mailsonar ${condition} -F`];
	return words.length === 0 ? [] : [`complete -c mailsonar ${condition} -f -a '${words.join(' ')}'`];
}

const bashReply = (words: Words): string =>
	words === 'file'
		? 'COMPREPLY=($(compgen -f -- "$word"))'
		: `COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$word"))`;

const bashFlag = (name: string, { flag: { short } }: Option): string =>
	short === undefined ? `--${name}` : `--${name}|-${short}`;

const zshOption = ([name, { flag, says, value, words }]: readonly [string, Option]): string => {
	const what = `[${said(says)}]`;
	const after =
		value === undefined ? '' : `:${value}:${words === 'file' ? '_files' : `(${wordsOf(words).join(' ')})`}`;
	const again = flag.multiple === true ? '*' : '';
	return [
		`'${again}--${name}${what}${after}'`,
		...(flag.short === undefined ? [] : [`'-${flag.short}${what}${after}'`]),
	].join(' ');
};

const zshArgument = (words: Words): string =>
	words === 'file'
		? `'1:file:_files'`
		: words.length === 0
			? `'*:argument:'`
			: `'1:argument:(${words.join(' ')})'`;

const fishAfter = (name: CommandName): string => `-n '__fish_seen_subcommand_from ${name}'`;

/** A description inside single quotes and brackets of a shell. */
function said(text: string): string {
	return text.replaceAll(/['[\]:]/g, ' ');
}
