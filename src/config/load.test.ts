import { expect, test } from 'vitest';
import { defaults, faultText, loadConfig, readConfig } from './load.ts';

test('a file that is not there gives the defaults', () => {
  expect(loadConfig('/nonexistent/config.toml')).toEqual({ config: defaults(), faults: [] });
});

test('takes what is set', () => {
  const { config, faults } = readConfig(
    '[ui]\nprefix = "ctrl+a"\n[agents]\nstalled_minutes = 3\n[agents.kinds.mine]\ncommand = ["x"]\n',
    'c.toml',
  );
  expect(faults).toEqual([]);
  expect([config['ui.prefix'], config['agents.stalled_minutes'], config['agents.kinds']]).toEqual([
    'ctrl+a',
    3,
    { mine: { command: ['x'] } },
  ]);
});

test.each([
  ['[ui]\nprefx = "x"\n', 'c.toml:2: ui.prefx is not a setting'],
  ['theme = "dark"\n', 'c.toml:1: theme is not a setting (did you mean ui.theme?)'],
  ['\n[ui]\nmouse = "yes"\n', 'c.toml:3: ui.mouse must be a boolean, not "yes"'],
  ['[ui]\ntheme = "pink"', 'c.toml:2: ui.theme must be one of auto, dark, light'],
  ['[terminal]\nscrollback = 5', 'c.toml:2: terminal.scrollback must be a number from 100 to 10000'],
  ['notifications.command = "say"', 'c.toml:1: notifications.command must be a list of strings'],
  ['keys = 3', 'c.toml:1: keys must be a table'],
])('%j', (text, expected) => {
  const { config, faults } = readConfig(text, 'c.toml');
  expect(faults.map(faultText)).toEqual([expected]);
  expect(config).toEqual(defaults());
});

test('broken TOML names the line', () => {
  const [fault] = readConfig('[ui]\nprefix = \n', 'c.toml').faults;
  expect(fault).toMatchObject({ line: 2, key: '' });
});
