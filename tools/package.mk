# The Makefile of src/ in the package, which `pkg install` runs. It runs the project's own Makefile (knng.mk) and puts
# the results where pkg copies from: gateways in src/ itself would lose their +folder, and the plugin would be left
# behind. pkg gives make as many jobs as there are processors. It hides make's standard output and shows its standard
# error.
all:
	@sh tools/progress.sh $(MAKE) --no-print-directory -f knng.mk INNER=../inst/+knng/+internal WERROR= all
.PHONY: all
