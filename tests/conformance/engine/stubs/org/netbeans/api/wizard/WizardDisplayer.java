package org.netbeans.api.wizard;

/** Named by the engine; the driver answers without wizards, so an empty one will do. */
public abstract class WizardDisplayer {
}
