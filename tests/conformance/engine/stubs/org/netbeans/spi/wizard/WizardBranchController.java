package org.netbeans.spi.wizard;

/** Named by the engine; the driver answers without wizards, so an empty one will do. */
public class WizardBranchController extends WizardPanelProvider {
}
