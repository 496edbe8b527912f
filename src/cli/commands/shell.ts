import type { Command } from 'commander';
import type { Invocation } from '../invocation.js';

export function registerShell(_program: Command, _invocation: Invocation): void {}
